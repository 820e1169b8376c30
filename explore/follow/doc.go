// Package follow finds runs of a machine that match a description, line by line, as in
// scenarios. A line fixes some parameter values and leaves others open. An event has no step
// if a guard or an action is undefined for some choice of the open values. The fixed values
// apply first. A search fixes no values.
package follow
