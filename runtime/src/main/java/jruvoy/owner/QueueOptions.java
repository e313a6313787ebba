// SPDX-License-Identifier: Apache-2.0
package jruvoy.owner;

import org.jruby.RubyHash;
import org.jruby.ast.util.ArgsUtil;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/**
 * The optional arguments of Queue#pop and SizedQueue#push: {@code (non_block = false, timeout: nil)}.
 *
 * @param nonBlock whether the operation must not wait
 * @param nanos how long it may wait, or {@link Waiting#FOREVER}
 */
record QueueOptions(boolean nonBlock, long nanos) {
    /** Reads one argument, which is either of the two. */
    static QueueOptions of(ThreadContext context, IRubyObject argument) {
        RubyHash keywords = ArgsUtil.extractKeywords(argument);
        return keywords == null
                ? new QueueOptions(argument.isTrue(), Waiting.FOREVER)
                : new QueueOptions(false, timeout(context, keywords));
    }

    /** Reads both arguments. */
    static QueueOptions of(ThreadContext context, IRubyObject nonBlock, IRubyObject keywords) {
        return new QueueOptions(nonBlock.isTrue(), timeout(context, keywords));
    }

    private static long timeout(ThreadContext context, IRubyObject keywords) {
        IRubyObject timeout = ArgsUtil.extractKeywordArg(context, "timeout", keywords);
        return timeout == null ? Waiting.FOREVER : Waiting.nanos(context, timeout);
    }
}
