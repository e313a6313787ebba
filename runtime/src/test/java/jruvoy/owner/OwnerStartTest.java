// SPDX-License-Identifier: Apache-2.0
package jruvoy.owner;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A rackup that cannot be loaded is named with file, line and cause. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class OwnerStartTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource(
            delimiter = '!',
            value = {
                "raise 'no luck' ! config.ru:2: no luck (RuntimeError)",
                "require 'no/such/file' ! config.ru:2: cannot load such file -- no/such/file (LoadError)",
                "exit 3 ! config.ru:2: exit (SystemExit)",
                "use Rack::Head ! missing run or map statement (RuntimeError)",
                "run(1 ! config.ru:2: syntax error, unexpected end-of-file (SyntaxError)"
            })
    void saysWhy(String line, String expected) throws Exception {
        try (OwnerHarness owner = OwnerHarness.of(folder, "# first\n" + line + "\n")) {
            assertEquals(expected, owner.failure());
        }
    }
}
