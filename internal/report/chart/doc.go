// Package chart draws heat maps, curves and Gantt charts as SVG, for pages and for papers. A
// picture depends only on its data. Widths of text are estimated, rather too large than too
// small.
package chart
