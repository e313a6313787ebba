// SPDX-License-Identifier: Apache-2.0
/**
 * The command line: a short-lived JVM that reads options, writes Envoy's configuration and ends; {@code bin/jruvoy}
 * then becomes Envoy. Nothing here is loaded by the server.
 *
 * <p>Thread: the main thread only.
 */
package jruvoy.cli;
