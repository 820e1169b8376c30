// Package queue sends questions to workers through a NATS JetStream work queue, and answers those of
// others. Neither the queue nor a worker is trusted: the run that asks checks every answer, and
// searches what remains unanswered itself. A fault of the queue costs time, never an answer.
//
//	JOBS  gradine.job.v1.SEARCH.KIND.RUN   jobs, each until a worker acknowledges it
//	DONE  gradine.done.v1.RUN.DIGEST       answers, for an hour
//
// SEARCH is the version of the search, so that a worker of another version never gets a job. A worker
// acknowledges a job once its answer is stored: a job is delivered at least once, and an answer may
// arrive twice.
package queue
