package main

import (
	"sort"
	"time"
)

// quiesce ends all that the agent's commands left, and names it.
func (s *server) quiesce() (fields, error) {
	names, err := s.endLeftBehind()
	return fields{"ended": names}, err
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
		none := len(found) == 0 && len(inJobs) == 0
		if none && seenNone {
			break
		}
		seenNone = none
		for key, name := range found {
			if endProcess(key) && !isConsole(name) {
				names = append(names, name)
			}
		}
		s.jobs.endAll()
		if time.Now().After(deadline) {
			return nil, unusable("processes of the agent could not be ended")
		}
	}
	sort.Strings(names)
	return names, nil
}

// strays are the processes of the agent's account that were not there before. With --same-user the account is somebody's own.
func (s *server) strays() (map[processKey]string, error) {
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
