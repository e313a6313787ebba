// SPDX-License-Identifier: Apache-2.0
/**
 * Twins of the C nouns in {@code envoy-module/src}: what crosses between Envoy's workers and an owner, and nothing that
 * knows Rack or Ruby objects.
 *
 * <table>
 * <caption>Who runs what</caption>
 * <tr><th>thread</th><th>classes</th></tr>
 * <tr><td>VM thread (created by the module)</td><td>{@link jruvoy.bridge.Bootstrap}, {@link jruvoy.bridge.Layout}</td></tr>
 * <tr><td>one owner</td><td>{@link jruvoy.bridge.Inbox}, {@link jruvoy.bridge.Outbox}, {@link jruvoy.bridge.Stream},
 * {@link jruvoy.bridge.RequestBody}, {@link jruvoy.bridge.Response}, {@link jruvoy.bridge.Credit}</td></tr>
 * <tr><td>any</td><td>{@link jruvoy.bridge.Natives} as each function says, {@link jruvoy.bridge.Log}, {@link
 * jruvoy.bridge.EndReason}</td></tr>
 * </table>
 */
package jruvoy.bridge;
