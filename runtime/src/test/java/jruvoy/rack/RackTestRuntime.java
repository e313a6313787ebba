// SPDX-License-Identifier: Apache-2.0
package jruvoy.rack;

import org.jruby.Ruby;
import org.jruby.RubyHash;
import org.jruby.RubyInstanceConfig;
import org.jruby.RubyString;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/** One JRuby for the tests of this package: it takes seconds to start. Thread: a test's. */
final class RackTestRuntime {
    static final Ruby RUNTIME = create();
    static final ThreadContext CONTEXT = RUNTIME.getCurrentContext();

    private RackTestRuntime() {}

    /** The value of an expression. */
    static IRubyObject eval(String expression) {
        return RUNTIME.evalScriptlet(expression);
    }

    /** A value of an env as text, null when the key is not there. */
    static String get(RubyHash env, String key) {
        IRubyObject value = env.fastARef(RUNTIME.newString(key));
        return value == null ? null : value instanceof RubyString text ? raw(text) : value.toString();
    }

    private static String raw(RubyString text) {
        return new String(text.getBytes(), java.nio.charset.StandardCharsets.ISO_8859_1);
    }

    private static Ruby create() {
        RubyInstanceConfig config = new RubyInstanceConfig();
        config.setDisableGems(true);
        return Ruby.newInstance(config);
    }
}
