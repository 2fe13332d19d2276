package main

import (
	"os"
	"sort"
	"time"
)

// quietPeriod is how often we look for what has started of the agent when its work is over.
const quietPeriod = 50 * time.Millisecond

// quiesce ends all that the agent's commands left, and names it; from then on nothing of the agent runs.
func (s *server) quiesce() (fields, error) {
	s.suspendResidents()
	names, err := s.endLeftBehind()
	if err != nil {
		return nil, err
	}
	// What was ended meanwhile may have let them go on.
	s.suspendResidents()
	s.prepared.mu.Lock()
	defer s.prepared.mu.Unlock()
	if !s.prepared.over && !s.sameUser {
		s.prepared.over = true
		s.start(s.keepQuiet)
	}
	return fields{"ended": names}, nil
}

// suspendResidents stops what ran as the agent before it began: its shell would start programs for it. Nothing of it is
// ended, as Windows would start it anew.
func (s *server) suspendResidents() {
	if s.sameUser {
		return
	}
	s.prepared.mu.Lock()
	defer s.prepared.mu.Unlock()
	for key, one := range s.prepared.residents {
		// Where there is one account only, we are among them.
		if !one.hidden && key.pid != uint32(os.Getpid()) {
			suspendProcess(key)
		}
	}
}

// keepQuiet ends what of the agent starts after its work, such as what it had the task scheduler keep for later.
func (s *server) keepQuiet() {
	for ; ; time.Sleep(quietPeriod) {
		// A list that cannot be had is asked for again.
		found, err := s.strays()
		s.prepared.mu.Lock()
		over := s.prepared.over
		s.prepared.mu.Unlock()
		if !over {
			return
		}
		if err == nil {
			endStrays(found)
		}
	}
}

// endStrays ends them and gives their names. It counts those that may still run: what hides whose it is and cannot be ended by
// the system either is Windows' own, which protects it from everybody.
func endStrays(found map[processKey]seenProcess) (names []string, left int) {
	for key, one := range found {
		ended := endProcess(key)
		if ended && !isConsole(one.name) {
			names = append(names, one.name)
		}
		if ended || !one.hidden {
			left++
		}
	}
	return names, left
}

// endLeftBehind ends the jobs of all commands at one stroke, and then what else the agent's account runs: what it had others
// start for it, such as the task scheduler, is in no job. Only a second look that finds nothing is believed.
func (s *server) endLeftBehind() ([]string, error) {
	names, err := s.namesInJobs()
	if err != nil {
		return nil, err
	}
	s.jobs.endAll()
	seenNone := false
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		found, err := s.strays()
		if err != nil {
			return nil, err
		}
		inJobs, err := s.jobs.running()
		if err != nil {
			return nil, err
		}
		ended, left := endStrays(found)
		names = append(names, ended...)
		none := left == 0 && len(inJobs) == 0
		if none && seenNone {
			break
		}
		seenNone = none
		s.jobs.endAll()
		if time.Now().After(deadline) {
			return nil, unusable("processes of the agent could not be ended")
		}
	}
	sort.Strings(names)
	return names, nil
}

// strays are the processes of the agent's account, or of nobody knows whose, that were not there before. With --same-user the account is somebody's own.
func (s *server) strays() (map[processKey]seenProcess, error) {
	if s.sameUser {
		return nil, nil
	}
	sid, err := s.agentSid()
	if err != nil {
		return nil, err
	}
	found, err := processesOf(sid)
	if err != nil {
		return nil, err
	}
	s.prepared.mu.Lock()
	defer s.prepared.mu.Unlock()
	for key := range s.prepared.residents {
		delete(found, key)
	}
	running, err := s.jobs.running()
	if err != nil {
		return nil, err
	}
	// What is in a job has its end already.
	for key := range found {
		for _, pid := range running {
			if key.pid == pid {
				delete(found, key)
			}
		}
	}
	return found, nil
}

func (s *server) namesInJobs() ([]string, error) {
	running, err := s.jobs.running()
	if err != nil {
		return nil, err
	}
	all, err := processNames()
	if err != nil {
		return nil, err
	}
	names := []string{}
	for _, pid := range running {
		if name, there := all[pid]; there && !isConsole(name) {
			names = append(names, name)
		}
	}
	return names, nil
}
