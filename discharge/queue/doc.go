// Package queue sends questions to workers through a NATS JetStream work queue, and answers
// questions of other runs. Neither the queue nor a worker is trusted. The asking run checks
// every answer, and searches for the answers that do not arrive. A failure of the queue
// costs time, never an answer.
//
//	JOBS  gradine.job.v1.SEARCH.KIND.RUN   jobs, each until a worker acknowledges it
//	DONE  gradine.done.v1.RUN.DIGEST       answers, for an hour
//
// SEARCH is the version of the search, so a worker never receives a job of another version.
// A worker acknowledges a job after its answer is stored. So a job is delivered at least
// once, and an answer may arrive twice.
package queue
