// SPDX-License-Identifier: Apache-2.0
package jruvoy.owner;

import java.nio.ByteBuffer;
import jnr.ffi.Memory;
import jnr.ffi.Pointer;
import jnr.ffi.Runtime;

/**
 * Moves bytes between descriptors and Ruby's memory by the system's own calls, through one piece of memory outside the
 * heap. Never blocks when the descriptor was just seen to be ready.
 *
 * <p>Thread: the owner; the memory is used only between two switches.
 */
final class DescriptorIo {
    private static final int SCRATCH_BYTES = 64 << 10;
    /** A pipe that is writable takes at least this much without blocking. */
    private static final int PIPE_BYTES = 4096;

    private final Descriptors descriptors;
    private final Pointer scratch = Memory.allocateDirect(Runtime.getSystemRuntime(), SCRATCH_BYTES);

    DescriptorIo(Descriptors descriptors) {
        this.descriptors = descriptors;
    }

    /**
     * Reads what is there.
     *
     * @param target gets the bytes at its position, which moves
     * @return how many, 0 at the end of the file, or an errno as a negative number
     */
    int read(int fd, ByteBuffer target) {
        int length = Math.min(target.remaining(), SCRATCH_BYTES);
        long count = Libc.C.recv(fd, scratch.address(), length, Libc.MSG_DONTWAIT);
        if (count < 0 && Libc.errno() == Libc.ENOTSOCK) {
            count = Libc.C.read(fd, scratch.address(), length);
        }
        return count < 0 ? -Libc.errno() : take(count, target);
    }

    /**
     * Looks at what a socket has to read, and leaves it there.
     *
     * @return as {@link #read}
     */
    int peek(int fd, ByteBuffer target) {
        int length = Math.min(target.remaining(), SCRATCH_BYTES);
        long count = Libc.C.recv(fd, scratch.address(), length, Libc.MSG_DONTWAIT | Libc.MSG_PEEK);
        return count < 0 ? -Libc.errno() : take(count, target);
    }

    private int take(long count, ByteBuffer target) {
        byte[] bytes = new byte[(int) count];
        scratch.get(0, bytes, 0, bytes.length);
        target.put(bytes);
        return bytes.length;
    }

    /**
     * Writes as much as the descriptor takes.
     *
     * @param source its bytes from the position on; the position moves by what was taken
     * @return how many, or an errno as a negative number
     */
    int write(int fd, ByteBuffer source) {
        byte[] bytes = new byte[Math.min(source.remaining(), SCRATCH_BYTES)];
        source.get(source.position(), bytes);
        scratch.put(0, bytes, 0, bytes.length);
        long count = Libc.C.send(fd, scratch.address(), bytes.length, Libc.MSG_DONTWAIT | Libc.MSG_NOSIGNAL);
        if (count < 0 && Libc.errno() == Libc.ENOTSOCK) {
            if (descriptors.poll(fd, Libc.POLLOUT) == 0) {
                return -Libc.EAGAIN;
            }
            count = Libc.C.write(fd, scratch.address(), Math.min(bytes.length, PIPE_BYTES));
        }
        if (count < 0) {
            return -Libc.errno();
        }
        source.position(source.position() + (int) count);
        return (int) count;
    }
}
