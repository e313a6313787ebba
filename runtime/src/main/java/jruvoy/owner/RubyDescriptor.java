// SPDX-License-Identifier: Apache-2.0
package jruvoy.owner;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.ReentrantLock;
import org.jruby.RubyIO;
import org.jruby.RubyIOBuffer;
import org.jruby.util.io.ChannelFD;
import org.jruby.util.io.FilenoUtil;
import org.jruby.util.io.OpenFile;

/**
 * What JRuby's IO objects keep private and a selector needs: the real descriptor, the lock that JRuby holds while it
 * calls a scheduler, and the memory behind an IO::Buffer.
 *
 * <p>Thread: the fiber that does the operation.
 */
final class RubyDescriptor {
    private static final VarHandle LOCK = field(OpenFile.class, "lock", ReentrantLock.class);
    private static final VarHandle BASE = field(RubyIOBuffer.class, "base", ByteBuffer.class);

    private RubyDescriptor() {}

    /** Loads this class, which fails with a LinkageError when JRuby's fields are not there. */
    static void verify() {}

    /** The descriptor of the operating system. @return -1 when there is none (closed, or only a Java stream) */
    static int number(RubyIO io) {
        OpenFile file = io.getOpenFile();
        ChannelFD channel = file == null ? null : file.fd();
        if (channel == null) {
            return -1;
        }
        return channel.realFileno >= 0 ? channel.realFileno : FilenoUtil.filenoFrom(channel.ch);
    }

    /** The bytes of a buffer, from its own position to its own limit. */
    static ByteBuffer memory(RubyIOBuffer buffer) {
        return ((ByteBuffer) BASE.get(buffer)).duplicate();
    }

    /**
     * Gives up JRuby's lock of an open file while its fiber waits: another fiber that writes to or closes the same IO
     * would otherwise block the owner.
     *
     * @return how often it was held, to be given to {@link #lock}
     */
    static int unlock(RubyIO io) {
        OpenFile file = io.getOpenFile();
        if (file == null) {
            return 0;
        }
        ReentrantLock lock = (ReentrantLock) LOCK.get(file);
        int held = lock.getHoldCount();
        for (int i = 0; i < held; i++) {
            lock.unlock();
        }
        return held;
    }

    /** Takes the lock as often as it was given up: JRuby's own code will release it. */
    static void lock(RubyIO io, int held) {
        OpenFile file = io.getOpenFile();
        for (int i = 0; file != null && i < held; i++) {
            ((ReentrantLock) LOCK.get(file)).lock();
        }
    }

    private static VarHandle field(Class<?> owner, String name, Class<?> type) {
        try {
            return MethodHandles.privateLookupIn(owner, MethodHandles.lookup()).findVarHandle(owner, name, type);
        } catch (ReflectiveOperationException changed) {
            throw new ExceptionInInitializerError(changed);
        }
    }
}
