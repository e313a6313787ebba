// SPDX-License-Identifier: Apache-2.0
package jruvoy.cli;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The private folder of one server, named by its process; the module removes it when the server ends. */
final class RunFolder {
    private static final Pattern NAME = Pattern.compile("jruvoy-([0-9]+)");
    private static final Set<PosixFilePermission> PRIVATE = PosixFilePermissions.fromString("rwx------");
    /** A unix socket's path holds 107 bytes. */
    private static final int MAX_PATH = 107 - "/admin.sock".length();

    private final Path path;

    private RunFolder(Path path) {
        this.path = path;
    }

    /** Where the folder of a process belongs; nothing is created. */
    static Path place(Path base, long pid) {
        Path place = base.resolve("jruvoy-" + pid);
        return place.toString().length() <= MAX_PATH ? place : Path.of("/tmp", "jruvoy-" + pid);
    }

    /**
     * Creates the folder, readable by this user only, after removing what dead servers left.
     *
     * @param place as {@link #place} said
     */
    static RunFolder create(Path place) {
        try {
            String owner = System.getProperty("user.name");
            sweep(place.getParent(), owner);
            if (Files.exists(place, LinkOption.NOFOLLOW_LINKS)) {
                if (!isFolderOf(place, owner)) {
                    throw CliException.failure(place + " exists and is not this user's folder");
                }
                remove(place);
            }
            return new RunFolder(Files.createDirectory(place, PosixFilePermissions.asFileAttribute(PRIVATE)));
        } catch (NoSuchFileException | NotDirectoryException e) {
            throw CliException.failure(
                    "cannot create the run folder " + place + ": " + e.getMessage() + " is no folder; see TMPDIR");
        } catch (IOException e) {
            throw CliException.failure("cannot create the run folder " + place + ": " + e.getMessage());
        }
    }

    void write(String name, String text) {
        try {
            Files.writeString(path.resolve(name), text);
        } catch (IOException e) {
            throw CliException.failure("cannot write " + path.resolve(name) + ": " + e.getMessage());
        }
    }

    private static void sweep(Path base, String owner) throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(base, "jruvoy-*")) {
            for (Path entry : entries) {
                var matcher = NAME.matcher(entry.getFileName().toString());
                if (matcher.matches() && !isAlive(matcher.group(1)) && isFolderOf(entry, owner)) {
                    remove(entry);
                }
            }
        }
    }

    private static boolean isAlive(String pid) {
        return Files.exists(Path.of("/proc", pid));
    }

    private static boolean isFolderOf(Path path, String owner) {
        try {
            PosixFileAttributes attributes =
                    Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            return attributes.isDirectory() && attributes.owner().getName().equals(owner);
        } catch (IOException e) {
            return false;
        }
    }

    private static void remove(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException e) {
            // Another server sweeps at the same time; what is left is left for the next one.
        }
    }
}
