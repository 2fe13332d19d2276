# Files: looked at and read through handles, never by a name that may lead elsewhere meanwhile.

my ($handles, %handles) = (0);

sub facts {
  my ($handle) = @_;
  my @stat = stat $handle or fail("cannot be looked at: $!");
  my ($mode, $uid) = @stat[2, 4];
  my $kind = S_ISREG($mode) ? "file" : S_ISDIR($mode) ? "folder" : S_ISLNK($mode) ? "link" : "other";
  return ($kind, $stat[7], ($stat[12] || 0) * 512, $mode & 07777, $uid, $stat[9], "$stat[7] $stat[9] " . ctime($handle));
}

# Perl's stat has whole seconds; a change within one must be seen.
sub ctime {
  my ($handle) = @_;
  return join " ", (stat $handle)[1, 10], fine_times("/proc/self/fd/" . fileno $handle, 1);
}

sub fine_times {
  my ($path, $follow) = @_;
  return "" if !defined $prctl || (POSIX::uname())[4] !~ /^(x86_64|aarch64)$/;
  my $statx = (POSIX::uname())[4] eq "x86_64" ? 332 : 291;
  my $buffer = "\0" x 256;
  my $name = "$path\0";
  return "" if syscall($statx, -100, $name, $follow ? 0 : 0x100, 0x7ff, $buffer) != 0;
  # struct statx: stx_btime at 80, stx_ctime at 96 and stx_mtime at 112, each seconds (8 bytes) and nanoseconds (4).
  return join " ", unpack 'x96 q L @112 q L @80 q L', $buffer;
}

sub open_path {
  my ($path, $follow) = @_;
  sysopen my $handle, $path, $o_path | ($follow ? 0 : O_NOFOLLOW) or return absent();
  return keep($handle);
}

sub open_child {
  my ($number, $name) = @_;
  sysopen my $handle, "/proc/self/fd/" . fileno(handle($number)) . "/$name", $o_path | O_NOFOLLOW or return absent();
  return keep($handle);
}

sub absent {
  return if $!{ENOENT} || $!{ENOTDIR} || $!{ENAMETOOLONG};
  fail($!{ELOOP} ? "goes through too many links" : "cannot be used: $!");
}

sub keep {
  my ($handle) = @_;
  $handles{++$handles} = { path => $handle };
  return ($handles, facts($handle));
}

sub handle { $handles{$_[0]}{path} || fail("is not open") }

sub facts_of { facts(handle($_[0])) }

sub close_handle { delete $handles{$_[0]}; return }

sub names {
  my ($number) = @_;
  opendir my $folder, "/proc/self/fd/" . fileno handle($number) or fail("cannot be listed: $!");
  return sort grep { $_ ne "." && $_ ne ".." } readdir $folder;
}

sub read_handle {
  my ($number, $position, $length) = @_;
  my $entry = $handles{$number} || fail("is not open");
  if (!$entry->{file}) {
    sysopen $entry->{file}, "/proc/self/fd/" . fileno $entry->{path}, O_RDONLY | O_NONBLOCK | O_NOCTTY
      or fail("cannot be read: $!");
  }
  sysseek $entry->{file}, $position, 0;
  my $bytes = sysread($entry->{file}, my $text, $length);
  fail("cannot be read: $!") if !defined $bytes;
  return $text;
}
