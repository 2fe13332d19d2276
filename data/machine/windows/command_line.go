package main

import (
	"fmt"
	"strings"
)

// commandLine is one line from which CommandLineToArgvW and the C runtime take these very words ("Parsing C command-line
// arguments", Microsoft). The first is the program's own name.
func commandLine(argv []string) (string, error) {
	if strings.Contains(argv[0], `"`) {
		return "", unusable(quoted(argv[0]) + " is not the name of a program")
	}
	words := []string{`"` + argv[0] + `"`}
	for _, word := range argv[1:] {
		words = append(words, argumentWord(word))
	}
	return strings.Join(words, " "), nil
}

func argumentWord(word string) string {
	if word != "" && !strings.ContainsAny(word, " \t\n\v\f\r\"") {
		return word
	}
	// Backslashes are themselves, but before a quote each must be written twice.
	var text strings.Builder
	text.WriteByte('"')
	backslashes := 0
	for _, letter := range []byte(word) {
		switch letter {
		case '\\':
			backslashes++
		case '"':
			text.WriteString(strings.Repeat(`\`, backslashes+1))
			backslashes = 0
		default:
			backslashes = 0
		}
		text.WriteByte(letter)
	}
	text.WriteString(strings.Repeat(`\`, backslashes))
	text.WriteByte('"')
	return text.String()
}

// batchLine is the line by which cmd runs a batch file with these words as they are. What cmd reads by rules of its own even
// between quotes cannot be written, and is refused: a word could become a command.
func batchLine(argv []string) (string, error) {
	words := make([]string, len(argv))
	for index, word := range argv {
		if strings.ContainsAny(word, "\"%\r\n") {
			return "", unusable(fmt.Sprintf("%s cannot be given to a batch file, which takes no quotes, percent signs and ends of lines", quoted(word)))
		}
		// A backslash at the end would be read as part of the quote by what the batch file hands it on to.
		trailing := len(word) - len(strings.TrimRight(word, `\`))
		words[index] = `"` + word + strings.Repeat(`\`, trailing) + `"`
	}
	// Without the settings of the user that make a command of their own, and without `!` meaning anything.
	return `"cmd.exe" /d /e:on /v:off /c "` + strings.Join(words, " ") + `"`, nil
}
