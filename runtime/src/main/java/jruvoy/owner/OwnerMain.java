// SPDX-License-Identifier: Apache-2.0
package jruvoy.owner;

import org.jruby.main.Main;

/**
 * Runs the JRuby command line with its main Ruby thread as an owner's loop: the same threads as in the server, without
 * Envoy. Takes JRuby's own arguments; the process ends with the script's status.
 *
 * <p>Thread: the JVM's main thread, which waits.
 */
public final class OwnerMain {
    private OwnerMain() {}

    /** @param arguments of the {@code jruby} command */
    public static void main(String[] arguments) throws InterruptedException {
        int[] status = {1};
        OwnerThread owner = OwnerThread.start("owner", () -> status[0] = run(arguments));
        owner.join();
        System.exit(status[0]);
    }

    private static int run(String[] arguments) {
        Main.Status status = new Main().run(arguments);
        return status.isExit() ? status.getStatus() : 0;
    }
}
