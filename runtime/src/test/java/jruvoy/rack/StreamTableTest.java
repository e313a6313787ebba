// SPDX-License-Identifier: Apache-2.0
package jruvoy.rack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Handles find their requests whatever was added and taken out before. */
class StreamTableTest {
    @Test
    void agreesWithAMap() {
        StreamTable<Long> table = new StreamTable<>();
        Map<Long, Long> model = new HashMap<>();
        Random random = new Random(7);
        for (int step = 0; step < 100_000; step++) {
            long handle = 0x7f0000000000L + random.nextInt(2000) * 64L;
            if (model.containsKey(handle)) {
                table.remove(handle);
                model.remove(handle);
            } else if (model.size() < 1500) {
                table.put(handle, step + 0L);
                model.put(handle, step + 0L);
            }
            if (step % 1000 == 0) {
                model.forEach((key, value) -> assertEquals(value, table.get(key)));
            }
        }
        assertEquals(model.size(), table.size());
        assertEquals(model.size(), table.all().size());
        table.remove(3);
        assertNull(table.get(3));
    }
}
