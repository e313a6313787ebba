// SPDX-License-Identifier: Apache-2.0
package jruvoy.owner;

import jnr.posix.POSIX;
import jnr.posix.POSIXFactory;
import jruvoy.bridge.FakeNatives;

/** The module that is not there, with a pipe that wakes a sleeping loop. Thread: any. */
final class WakingNatives extends FakeNatives {
    private static final POSIX POSIX_CALLS = POSIXFactory.getNativePOSIX();

    private final int[] pipe = new int[2];

    WakingNatives() {
        if (POSIX_CALLS.pipe(pipe) != 0) {
            throw new IllegalStateException("no pipe");
        }
    }

    @Override
    public int jruvoy_native_wake_descriptor(long inbox) {
        return pipe[0];
    }

    @Override
    public void jruvoy_native_wake(long inbox) {
        POSIX_CALLS.write(pipe[1], new byte[1], 1);
    }

    @Override
    public void jruvoy_native_awake(long inbox) {
        // Only what was written: a read of an empty pipe would block.
        POSIX_CALLS.fcntlInt(pipe[0], jnr.constants.platform.Fcntl.F_SETFL, 2048);
        POSIX_CALLS.read(pipe[0], new byte[4096], 4096);
    }
}
