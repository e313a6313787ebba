// SPDX-License-Identifier: Apache-2.0
package jruvoy.owner;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import jruvoy.settings.Settings;
import org.jruby.Ruby;
import org.jruby.RubyInstanceConfig;
import org.jruby.RubyModule;
import org.jruby.api.Access;
import org.jruby.exceptions.RaiseException;
import org.jruby.javasupport.JavaUtil;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/**
 * Makes an app's JRuby runtime and runs the gem in it.
 *
 * <p>Thread: an owner's loop.
 */
final class OwnerRuntime {
    private OwnerRuntime() {}

    /** A runtime whose current directory, environment and gems are the app's. */
    static Ruby create(Settings settings) {
        Path home = Path.of(System.getProperty("jruvoy.home"));
        RubyInstanceConfig config = new RubyInstanceConfig();
        config.setCurrentDirectory(settings.appRoot());
        config.setEnvironment(environment(settings));
        config.setLoadPaths(List.of(home.resolve("ruby").toString()));
        config.setInput(System.in);
        config.setOutput(System.out);
        config.setError(System.err);
        return Ruby.newInstance(config);
    }

    /** Loads the app and serves it until it must stop. The loop of owner 0, on which the runtime was made. */
    static void boot(Ruby runtime, OwnerPort port) {
        runtime.getLoadService().require("jruvoy");
        call(runtime.getCurrentContext(), "run", wrap(runtime, port));
    }

    /** Serves an app that owner 0 has loaded until it must stop. The loop of another owner. */
    static void join(Ruby runtime, IRubyObject rack, OwnerPort port) {
        call(runtime.getCurrentContext(), "join", rack, wrap(runtime, port));
    }

    /** What went wrong, in one line. */
    static String describe(RaiseException raised) {
        return raised.getMessage().lines().findFirst().orElse("") + " ("
                + raised.getException().getMetaClass().getRealClass() + ")";
    }

    private static void call(ThreadContext context, String name, IRubyObject... arguments) {
        RubyModule jruvoy = (RubyModule) Access.objectClass(context).getConstant(context, "Jruvoy");
        jruvoy.getConstant(context, "Boot").callMethod(context, name, arguments);
    }

    private static IRubyObject wrap(Ruby runtime, OwnerPort port) {
        return JavaUtil.convertJavaToUsableRubyObject(runtime, port);
    }

    private static Map<String, String> environment(Settings settings) {
        Map<String, String> environment = new HashMap<>(System.getenv());
        environment.putAll(settings.env());
        if (environment.getOrDefault("RACK_ENV", "").isBlank()) {
            environment.put("RACK_ENV", "production");
        }
        return environment;
    }
}
