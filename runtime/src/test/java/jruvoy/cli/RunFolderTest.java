// SPDX-License-Identifier: Apache-2.0
package jruvoy.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Folders of runs: private, swept when their process is gone. */
class RunFolderTest {
    private static final long NOBODY = 99_999_999;

    @TempDir
    private Path base;

    @Test
    void onlyTheUserMayLook() throws IOException {
        Path place = RunFolder.place(base, 7);
        RunFolder.create(place).write("envoy.yaml", "text");
        assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(place)));
        assertEquals("text", Files.readString(place.resolve("envoy.yaml")));
    }

    @Test
    void foldersOfDeadProcessesAreSwept() throws IOException {
        Path dead = Files.createDirectory(RunFolder.place(base, NOBODY));
        Files.writeString(dead.resolve("launch"), "x");
        Path alive = Files.createDirectory(
                RunFolder.place(base, ProcessHandle.current().pid()));
        Path other = Files.createDirectory(base.resolve("jruvoy-notes"));
        RunFolder.create(RunFolder.place(base, NOBODY + 1));
        assertFalse(Files.exists(dead));
        assertTrue(Files.exists(alive));
        assertTrue(Files.exists(other));
    }

    @Test
    void anOldFolderOfTheSameNumberIsReplaced() throws IOException {
        Path place = RunFolder.place(base, ProcessHandle.current().pid());
        Files.createDirectory(place);
        Files.writeString(place.resolve("launch"), "old");
        RunFolder.create(place);
        assertFalse(Files.exists(place.resolve("launch")));
    }

    @Test
    void aLinkInItsPlaceIsRefused() throws IOException {
        Path place = RunFolder.place(base, ProcessHandle.current().pid());
        Path target = Files.createDirectory(base.resolve("target"));
        Files.writeString(target.resolve("kept"), "x");
        Files.createSymbolicLink(place, target);
        assertThrows(CliException.class, () -> RunFolder.create(place));
        assertTrue(Files.exists(target.resolve("kept")));
    }

    @Test
    void aLongTemporaryFolderIsAvoided() {
        Path deep = base.resolve("x".repeat(100));
        assertEquals(Path.of("/tmp/jruvoy-7"), RunFolder.place(deep, 7));
    }
}
