// Package chart draws: heat maps, curves and Gantt charts as SVG, fit for a page
// and for a paper. It knows numbers and words, and nothing of models. A picture
// depends on its data alone; widths of text are estimated, on the safe side.
package chart
