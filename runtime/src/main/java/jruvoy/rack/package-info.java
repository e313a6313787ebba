// SPDX-License-Identifier: Apache-2.0
/**
 * Rack in Java where it is hot: the env Hash from a request's record, the response from what the app returned, and the
 * object that stands for a request in Ruby. The rest of Rack's duties is in {@code ruby/lib/jruvoy}.
 *
 * <p>Thread: one owner, its loop or its fibers, unless a method says more.
 */
package jruvoy.rack;
