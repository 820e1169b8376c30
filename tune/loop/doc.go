// Package loop measures configurations on a device until a budget is used up: it plans, measures, fits and plans again.
//
// Its answer rests on measurements and on predictions of a fitted model. It proves nothing about the device.
package loop
