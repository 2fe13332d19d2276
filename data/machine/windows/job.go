package main

import (
	"sync"
	"syscall"
	"unsafe"
)

const (
	jobExtendedLimits  = 9
	jobProcessIDs      = 3
	jobCompletionPort  = 7
	jobCPURate         = 15
	limitActiveProcess = 0x8
	limitJobMemory     = 0x200
	limitKillOnClose   = 0x2000
	messageNoneLeft    = 4
	cpuRateEnable      = 1
	cpuRateHardCap     = 4
	killedByUs         = 0xA1E00009
	statusControlCExit = 0xC000013A
	errorMoreData      = syscall.Errno(234)
)

// job holds all that one command starts: nothing leaves it, and it ends at one stroke.
type job struct {
	handle syscall.Handle
}

type basicLimits struct {
	perProcessTime, perJobTime uint64
	flags                      uint32
	minimum, maximum           uintptr
	activeProcesses            uint32
	affinity                   uintptr
	priority, scheduling       uint32
}

type extendedLimits struct {
	basic                                          basicLimits
	io                                             [6]uint64
	processMemory, jobMemory, peakProcess, peakJob uintptr
}

// newJob makes a job without breakaway; zero is no limit.
func newJob(memoryBytes int64, processes int) (*job, error) {
	made, _, err := createJobObject.Call(0, 0)
	if made == 0 {
		return nil, err
	}
	j := &job{syscall.Handle(made)}
	limits := extendedLimits{basic: basicLimits{flags: limitKillOnClose}}
	if memoryBytes > 0 {
		limits.basic.flags |= limitJobMemory
		limits.jobMemory = uintptr(memoryBytes)
	}
	if processes > 0 {
		limits.basic.flags |= limitActiveProcess
		limits.basic.activeProcesses = uint32(processes)
	}
	if err := j.set(jobExtendedLimits, unsafe.Pointer(&limits), unsafe.Sizeof(limits)); err != nil {
		j.close()
		return nil, err
	}
	return j, nil
}

func (j *job) set(class uintptr, value unsafe.Pointer, size uintptr) error {
	return call(setInformationJobObject, uintptr(j.handle), class, uintptr(value), size)
}

// limitCPU gives the job a share of all processors, in hundredths of a percent.
func (j *job) limitCPU(rate uint32) error {
	limit := struct{ flags, rate uint32 }{cpuRateEnable | cpuRateHardCap, rate}
	return j.set(jobCPURate, unsafe.Pointer(&limit), unsafe.Sizeof(limit))
}

func (j *job) add(process syscall.Handle) error {
	return call(assignProcessToJobObject, uintptr(j.handle), uintptr(process))
}

// end kills all that is in it; what it has killed has the exit code killedByUs.
func (j *job) end() {
	_ = call(terminateJobObject, uintptr(j.handle), killedByUs)
}

// processes are the numbers of those that run in it.
func (j *job) processes() ([]uint32, error) {
	for room := 64; ; room *= 4 {
		// Two counts, then the numbers, each as long as a pointer.
		list := make([]uintptr, 1+room)
		var returned uint32
		err := call(queryInformationJob, uintptr(j.handle), jobProcessIDs, uintptr(unsafe.Pointer(&list[0])),
			uintptr(len(list))*unsafe.Sizeof(list[0]), uintptr(unsafe.Pointer(&returned)))
		if err == errorMoreData {
			continue
		}
		if err != nil {
			return nil, err
		}
		counts := (*[2]uint32)(unsafe.Pointer(&list[0]))
		found := make([]uint32, 0, counts[1])
		for _, pid := range list[1 : 1+counts[1]] {
			found = append(found, uint32(pid))
		}
		return found, nil
	}
}

func (j *job) close() {
	syscall.CloseHandle(j.handle)
}

// jobs are those of all commands, and the one around all of the agent's, which has the limits.
type jobs struct {
	port syscall.Handle

	mu    sync.Mutex
	next  uint32
	alive map[uint32]*job
	total *job
}

func newJobs() *jobs {
	s := &jobs{alive: map[uint32]*job{}}
	port, err := syscall.CreateIoCompletionPort(syscall.InvalidHandle, 0, 0, 1)
	if err != nil {
		panic(err)
	}
	s.port = port
	go s.watch()
	return s
}

// watch lets go of jobs in which nothing runs any more.
func (s *jobs) watch() {
	for {
		var message uint32
		var key, number uintptr
		err := call(getQueuedStatus, uintptr(s.port), uintptr(unsafe.Pointer(&message)),
			uintptr(unsafe.Pointer(&key)), uintptr(unsafe.Pointer(&number)), syscall.INFINITE)
		if err != nil || message != messageNoneLeft {
			continue
		}
		s.mu.Lock()
		if ended := s.alive[uint32(key)]; ended != nil {
			delete(s.alive, uint32(key))
			ended.close()
		}
		s.mu.Unlock()
	}
}

// setTotal replaces the job around all that the agent runs from now on.
func (s *jobs) setTotal(total *job) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.total != nil {
		// What still runs in it ends with its last handle, as its commands do.
		s.total.close()
	}
	s.total = total
}

// start puts a process that does not run yet into a job of its own, and for the agent into the one with the limits.
func (s *jobs) start(process syscall.Handle, agents bool) (*job, error) {
	made, err := newJob(0, 0)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if agents && s.total != nil {
		if err := s.total.add(process); err != nil {
			made.close()
			return nil, err
		}
	}
	if err := made.add(process); err != nil {
		made.close()
		return nil, err
	}
	s.next++
	s.alive[s.next] = made
	port := struct{ key, port uintptr }{uintptr(s.next), uintptr(s.port)}
	if err := made.set(jobCompletionPort, unsafe.Pointer(&port), unsafe.Sizeof(port)); err != nil {
		delete(s.alive, s.next)
		made.close()
		return nil, err
	}
	return made, nil
}

// end kills a job if it is not over: its handle may be another's by then.
func (s *jobs) end(wanted *job) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, one := range s.alive {
		if one == wanted {
			one.end()
		}
	}
}

// running are the numbers of all processes in jobs.
func (s *jobs) running() ([]uint32, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var found []uint32
	for _, one := range s.alive {
		more, err := one.processes()
		if err != nil {
			return nil, err
		}
		found = append(found, more...)
	}
	return found, nil
}

// endAll kills all that is in any job.
func (s *jobs) endAll() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, one := range s.alive {
		one.end()
	}
}
