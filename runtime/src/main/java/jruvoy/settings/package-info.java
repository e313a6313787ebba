// SPDX-License-Identifier: Apache-2.0
/** The effective settings of an app, as C has checked them. Thread: any; settings never change. */
package jruvoy.settings;
