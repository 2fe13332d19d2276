package main

// request is what the host asks; which fields there are depends on the operation.
type request struct {
	Op string `json:"op"`

	// run
	Argv    []string          `json:"argv"`
	User    string            `json:"user"`
	Cwd     string            `json:"cwd"`
	Env     map[string]string `json:"env"`
	Network string            `json:"network"`
	Stdin   bool              `json:"stdin"`

	// files
	Path     string     `json:"path"`
	MaxBytes int64      `json:"maxBytes"`
	Owner    string     `json:"owner"`
	Limits   takeLimits `json:"limits"`
	Limit    int        `json:"limit"`

	// lease
	ID      string  `json:"id"`
	Seconds float64 `json:"seconds"`
	Holder  any     `json:"holder"`
	Force   bool    `json:"force"`

	// prepare
	Clean        bool    `json:"clean"`
	Cpus         float64 `json:"cpus"`
	MemoryMb     int64   `json:"memoryMb"`
	MaxProcesses int     `json:"maxProcesses"`
	Now          float64 `json:"now"`
}
