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
    /** What one call moves at most. No datagram is larger. */
    static final int SCRATCH_BYTES = 64 << 10;

    /** A pipe that is writable takes at least this much without blocking. */
    private static final int PIPE_BYTES = 4096;

    /** A sockaddr_storage. */
    private static final int SENDER_BYTES = 128;
    /** A msghdr: sender, its length, pieces of memory, how many, control data, its length, flags. */
    private static final int MESSAGE_BYTES = 56;

    private static final int SENDER = 0;
    private static final int SENDER_LENGTH = 8;
    private static final int PIECES = 16;
    private static final int PIECE_COUNT = 24;

    private final Descriptors descriptors;
    private final Pointer sender = Memory.allocateDirect(Runtime.getSystemRuntime(), SENDER_BYTES);
    private final Pointer message = Memory.allocateDirect(Runtime.getSystemRuntime(), MESSAGE_BYTES, true);
    /** An iovec: address and length. */
    private final Pointer piece = Memory.allocateDirect(Runtime.getSystemRuntime(), 2 * Long.BYTES);

    private final Pointer scratch = Memory.allocateDirect(Runtime.getSystemRuntime(), SCRATCH_BYTES);

    DescriptorIo(Descriptors descriptors) {
        this.descriptors = descriptors;
        message.putLong(SENDER, sender.address());
        message.putLong(PIECES, piece.address());
        message.putLong(PIECE_COUNT, 1);
        piece.putLong(0, scratch.address());
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
     * Receives what a socket has, a datagram or a piece of a stream.
     *
     * @param flags of the system's recvmsg; the call never waits
     * @return as {@link #read}; {@link #sender} tells whose it was
     */
    int receive(int fd, ByteBuffer target, int flags) {
        piece.putLong(Long.BYTES, Math.min(target.remaining(), SCRATCH_BYTES));
        message.putInt(SENDER_LENGTH, SENDER_BYTES);
        long count = Libc.C.recvmsg(fd, message.address(), flags | Libc.MSG_DONTWAIT);
        return count < 0 ? -Libc.errno() : take(count, target);
    }

    /**
     * The socket address that the last {@link #receive} got, with the family's bytes in the order that JRuby gives them on
     * every machine; empty where the socket's kind has none.
     */
    byte[] sender() {
        byte[] address = new byte[Math.min(message.getInt(SENDER_LENGTH), SENDER_BYTES)];
        sender.get(0, address, 0, address.length);
        if (address.length > 1) {
            short family = sender.getShort(0);
            address[0] = (byte) (family >> Byte.SIZE);
            address[1] = (byte) family;
        }
        return address;
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
