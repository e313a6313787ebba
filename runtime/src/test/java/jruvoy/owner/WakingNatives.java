// SPDX-License-Identifier: Apache-2.0
package jruvoy.owner;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import jnr.posix.POSIX;
import jnr.posix.POSIXFactory;
import jruvoy.bridge.FakeNatives;

/** The module that is not there, with a pipe for each owner that wakes its sleeping loop. Thread: any. */
final class WakingNatives extends FakeNatives {
    private static final POSIX POSIX_CALLS = POSIXFactory.getNativePOSIX();

    /** What an owner sleeps on. */
    private static final class Bed {
        private final int[] pipe = new int[2];
        private final AtomicBoolean sleeping = new AtomicBoolean();

        Bed() {
            if (POSIX_CALLS.pipe(pipe) != 0) {
                throw new IllegalStateException("no pipe");
            }
        }
    }

    private final List<Bed> beds;
    private volatile Runnable beforeSleep = () -> {};

    WakingNatives(int owners) {
        super(owners);
        beds = Stream.generate(Bed::new).limit(owners).toList();
    }

    @Override
    public int jruvoy_native_wake_descriptor(long inbox) {
        return beds.get(indexOf(inbox)).pipe[0];
    }

    /** What happens when an owner has looked for the last time and not yet announced its sleep. */
    void beforeSleep(Runnable action) {
        beforeSleep = action;
    }

    @Override
    public int jruvoy_native_sleep(long inbox) {
        AtomicBoolean sleeping = beds.get(indexOf(inbox)).sleeping;
        beforeSleep.run();
        sleeping.set(true);
        if (super.jruvoy_native_sleep(inbox) == 1) {
            return 1;
        }
        sleeping.set(false);
        return 0;
    }

    @Override
    protected void wake(int owner) {
        Bed bed = beds.get(owner);
        if (!bed.sleeping.getAndSet(false)) {
            return;
        }
        POSIX_CALLS.write(bed.pipe[1], new byte[1], 1);
    }

    @Override
    public void jruvoy_native_awake(long inbox) {
        Bed bed = beds.get(indexOf(inbox));
        bed.sleeping.set(false);
        // Only what was written: a read of an empty pipe would block.
        POSIX_CALLS.fcntlInt(bed.pipe[0], jnr.constants.platform.Fcntl.F_SETFL, 2048);
        POSIX_CALLS.read(bed.pipe[0], new byte[4096], 4096);
    }
}
