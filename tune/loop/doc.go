// Package loop tunes on a device within a budget: it plans configurations, measures them, fits a
// model, and plans again.
//
// Its answer rests on measurements and on predictions of a fitted model. It proves nothing about
// the device.
package loop
