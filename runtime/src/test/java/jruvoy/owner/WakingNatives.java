// SPDX-License-Identifier: Apache-2.0
package jruvoy.owner;

import java.util.concurrent.atomic.AtomicBoolean;
import jnr.posix.POSIX;
import jnr.posix.POSIXFactory;
import jruvoy.bridge.FakeNatives;

/** The module that is not there, with a pipe that wakes a sleeping loop. Thread: any. */
final class WakingNatives extends FakeNatives {
    private static final POSIX POSIX_CALLS = POSIXFactory.getNativePOSIX();

    private final int[] pipe = new int[2];
    private final AtomicBoolean sleeping = new AtomicBoolean();
    private volatile Runnable beforeSleep = () -> {};

    WakingNatives() {
        if (POSIX_CALLS.pipe(pipe) != 0) {
            throw new IllegalStateException("no pipe");
        }
    }

    @Override
    public int jruvoy_native_wake_descriptor(long inbox) {
        return pipe[0];
    }

    /** What happens when the owner has looked for the last time and not yet announced its sleep. */
    void beforeSleep(Runnable action) {
        beforeSleep = action;
    }

    @Override
    public int jruvoy_native_sleep(long inbox) {
        beforeSleep.run();
        sleeping.set(true);
        if (super.jruvoy_native_sleep(inbox) == 1) {
            return 1;
        }
        sleeping.set(false);
        return 0;
    }

    @Override
    protected void wake() {
        if (!sleeping.getAndSet(false)) {
            return;
        }
        POSIX_CALLS.write(pipe[1], new byte[1], 1);
    }

    @Override
    public void jruvoy_native_awake(long inbox) {
        sleeping.set(false);
        // Only what was written: a read of an empty pipe would block.
        POSIX_CALLS.fcntlInt(pipe[0], jnr.constants.platform.Fcntl.F_SETFL, 2048);
        POSIX_CALLS.read(pipe[0], new byte[4096], 4096);
    }
}
