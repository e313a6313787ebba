// SPDX-License-Identifier: Apache-2.0
package jruvoy.rack;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A file on its way out, chunk by chunk; as long as it was when it was opened. Thread: the owner. */
final class FileBody implements AutoCloseable {
    private static final int CHUNK = 64 << 10;

    private final FileChannel channel;
    private final long size;
    private final ByteBuffer buffer = ByteBuffer.allocate(CHUNK);

    /** Opens a file. */
    FileBody(String path) throws IOException {
        channel = FileChannel.open(Path.of(path), StandardOpenOption.READ);
        size = channel.size();
    }

    /** Bytes that there were at first. */
    long size() {
        return size;
    }

    /** The next bytes, valid until the next call; null at the end. */
    byte[] read() throws IOException {
        buffer.clear();
        int count = channel.read(buffer);
        if (count < 0) {
            return null;
        }
        return count == CHUNK ? buffer.array() : java.util.Arrays.copyOf(buffer.array(), count);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
