// SPDX-License-Identifier: Apache-2.0
/**
 * Black-box tests: a real Envoy with the module, seen only through its sockets, output, exit status, admin page and
 * {@code /proc}. Classes that end in {@code IT} are tests by topic; the others start servers and speak HTTP.
 *
 * <p>Thread: each test on JUnit's own thread; what runs beside it is a virtual thread of {@link jruvoy.e2e.Swarm}.
 */
package jruvoy.e2e;
