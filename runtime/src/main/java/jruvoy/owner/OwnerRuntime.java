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
 * <p>Thread: the owner's loop.
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

    /** Loads the app and serves it until it must stop. */
    static void run(Ruby runtime, Settings settings, Owner owner) {
        ThreadContext context = runtime.getCurrentContext();
        runtime.getLoadService().require("jruvoy");
        IRubyObject boot =
                ((RubyModule) Access.objectClass(context).getConstant(context, "Jruvoy")).getConstant(context, "Boot");
        OwnerPort port = new OwnerPort(runtime, settings, owner);
        boot.callMethod(context, "run", JavaUtil.convertJavaToUsableRubyObject(runtime, port));
    }

    /** What went wrong, in one line. */
    static String describe(RaiseException raised) {
        return raised.getMessage().lines().findFirst().orElse("") + " ("
                + raised.getException().getMetaClass().getRealClass() + ")";
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
