// SPDX-License-Identifier: Apache-2.0
package jruvoy.cli;

/** A command that takes the options made from the settings definition. */
interface KeyedCommand {
    /** Called once, before the command line is parsed. */
    void keys(KeyOptions keys);
}
