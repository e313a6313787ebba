// SPDX-License-Identifier: Apache-2.0
package jruvoy.e2e;

/** A header or trailer line; the name in lower case, the value with one char per byte. */
record HttpField(String name, String value) {}
