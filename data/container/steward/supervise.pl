# What becomes of a process that is to be a command, and its parent meanwhile.

# Parent of the command, and of all it leaves behind, so that the whole of it can be found and ended.
sub supervise {
  my ($command, $in, $out, $err, $report) = @_;
  $SIG{$_} = "DEFAULT" for qw(CHLD PIPE INT TERM HUP);
  open my $nothing, "+<", "/dev/null";
  POSIX::dup2(fileno $nothing, $_) for 0 .. 2;
  my %kept = map { $_ => 1 } 0 .. 2, map { fileno $_ } $in, $out, $err, $report;
  opendir my $open, "/proc/self/fd";
  for my $number (grep { /^\d+$/ && !$kept{$_} } readdir $open) { POSIX::close($number) }
  syscall $prctl, 36, 1, 0, 0, 0 if defined $prctl;
  pipe(my $failure, my $failing);
  my $kills_before = memory_kills();
  my $pid = fork;
  if (!defined $pid) { inform($report, "nthe machine could not start a process: $!"); POSIX::_exit(0) }
  become($command, $in, $out, $err, $failing) if !$pid;
  # Not by close: Perl counts the users of a number, and does not know of those closed above.
  POSIX::close(fileno $_) for $in, $out, $err, $failing;
  inform($report, "s$pid");
  sysread($failure, my $problem, 4096);
  for (;;) {
    my $ended = waitpid -1, 0;
    last if $ended < 0 && !$!{EINTR};
    next if $ended != $pid || !$report;
    my $end = $? & 127 ? "k" . ($? & 127) : "e" . ($? >> 8);
    $end .= " " . (memory_kills() - $kills_before) if $end eq "k9" || $end eq "e137";
    inform($report, defined $problem && $problem ne "" ? "n$problem" : $end);
    POSIX::close(fileno $report);
    undef $report;
  }
  POSIX::_exit(0);
}

# How often the kernel has killed for want of the container's memory; 0 where it does not tell.
sub memory_kills {
  for my $path ("/sys/fs/cgroup/memory.events", "/sys/fs/cgroup/memory/memory.oom_control") {
    open(my $counters, "<", $path) or next;
    while (<$counters>) { return $1 if /^oom_kill (\d+)$/ }
  }
  return 0;
}

sub inform { my ($report, $text) = @_; syswrite $report, "$text\n" }

sub become {
  my ($command, $in, $out, $err, $failing) = @_;
  my $fail = sub { syswrite $failing, $_[0]; POSIX::_exit(127) };
  POSIX::setsid();
  my @ends = map { fileno $_ } $in, $out, $err;
  POSIX::dup2($ends[$_], $_) for 0 .. 2;
  if (open(my $score, ">", "/proc/self/oom_score_adj")) { syswrite $score, "500" }
  if ($command->{user} eq "root") { $) = "0 0"; $( = 0 }
  else {
    $) = "$agent $agent";
    POSIX::setgid($agent);
    POSIX::setuid($agent);
    $fail->("could not become the agent") if $> != $agent || $< != $agent;
  }
  my %env = map { split /=/, $_, 2 } @{$command->{env}};
  chdir $command->{cwd} or $fail->("the working directory $command->{cwd} cannot be entered: $!");
  %ENV = (%env, PWD => $command->{cwd});
  my @argv = @{$command->{argv}};
  no warnings "exec";
  exec { $argv[0] } @argv;
  $fail->("there is no program $argv[0]: $!");
}
