package scheduler

// step is something that waits for its turn in the ready queue.
type step interface{ step() }

const (
	firstChunk = 16 // most runs never have more in the queue
	chunkSize  = 256
)

type chunk struct {
	steps []step
	next  *chunk
}

// queue is a FIFO in chunks: it neither copies when it grows nor keeps its largest size.
type queue struct {
	head, tail *chunk
	read       int // in head
	write      int // in tail
	spare      *chunk
	size       int
}

func (q *queue) push(s step) {
	if q.tail == nil || q.write == len(q.tail.steps) {
		c := q.spare
		if c == nil {
			size := firstChunk
			if q.tail != nil {
				size = chunkSize
			}
			c = &chunk{steps: make([]step, size)}
		}
		q.spare = nil
		if q.tail == nil {
			q.head = c
		} else {
			q.tail.next = c
		}
		q.tail, q.write = c, 0
	}
	q.tail.steps[q.write] = s
	q.write++
	q.size++
}

// pop returns nil when the queue is empty.
func (q *queue) pop() step {
	if q.size == 0 {
		return nil
	}
	if q.read == len(q.head.steps) {
		old := q.head
		q.head, q.read = old.next, 0
		old.next = nil
		q.spare = old
	}
	s := q.head.steps[q.read]
	q.head.steps[q.read] = nil
	q.read++
	q.size--
	return s
}

func (q *queue) clear() { *q = queue{} }
