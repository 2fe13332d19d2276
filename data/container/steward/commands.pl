# Commands: each has a parent of its own, and its streams have credit.

my %commands;    # channel => what runs
my %supervisors; # process => channel
my @discards;    # outputs of processes that outlived their command

sub open_command {
  my ($channel, $user, $kind, $cwd, $count, @words) = @_;
  my $command = $commands{$channel} = {
    user => $user, cwd => $cwd, argv => [splice @words, 0, $count], env => [@words],
    credit => [0, 0, 0], drained => [], out => [], pending => "",
  };
  if ($kind eq "given") {
    my $path = "/run/ale/.input-$channel";
    sysopen(my $spool, $path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0444) or return refuse($channel, "its input: $!");
    chmod 0444, $spool;
    unlink $path;
    $command->{spool} = $command->{file} = $spool;
  }
  elsif ($kind eq "interactive") {
    pipe(my $read, my $write) or return refuse($channel, "no pipe: $!");
    hand_over($user, $read);
    nonblocking($write);
    $command->{in} = $write;
    start($channel, $command, $read);
  }
  else {
    open(my $nothing, "<", "/dev/null") or return refuse($channel, "/dev/null: $!");
    start($channel, $command, $nothing);
  }
}

sub start_spooled {
  my ($channel, $command) = @_;
  return refuse($channel, "its input could not be kept: $command->{error}") if $command->{error};
  my $spool = delete $command->{spool};
  sysopen(my $read, "/proc/self/fd/" . fileno $spool, O_RDONLY) or return refuse($channel, "its input: $!");
  delete $command->{file};
  start($channel, $command, $read);
}

sub start {
  my ($channel, $command, $in) = @_;
  pipe(my $out, my $out_end) && pipe(my $err, my $err_end) && pipe(my $status, my $report)
    or return refuse($channel, "no pipe: $!");
  hand_over($command->{user}, $_) for $out_end, $err_end;
  nonblocking($_) for $out, $err;
  my $pid = fork;
  return refuse($channel, "the machine could not start a process: $!") if !defined $pid;
  supervise($command, $in, $out_end, $err_end, $report) if !$pid;
  @$command{qw(supervisor status out)} = ($pid, $status, [undef, $out, $err]);
  $supervisors{$pid} = $channel;
}

# Opened by name, a pipe has the permissions of a file.
sub hand_over { my ($user, $pipe) = @_; chown $agent, $agent, $pipe if $user ne "root" }

sub feed {
  my ($channel, $command) = @_;
  if (length $command->{pending}) {
    my $bytes = syswrite $command->{in}, $command->{pending}, $piece;
    # Who reads no more gets no more; the host still learns that it may go on.
    $bytes = length $command->{pending} if !defined $bytes && !$!{EAGAIN} && !$!{EINTR};
    return if !$bytes;
    substr($command->{pending}, 0, $bytes) = "";
    send_frame("A", $channel, pack "N", $bytes);
  }
  if (!length $command->{pending} && $command->{in_ended}) { close $command->{in}; delete $command->{in} }
}

sub follow {
  my ($channel, $command) = @_;
  my $bytes = sysread($command->{status}, my $text, 8192);
  return if !defined $bytes && $!{EINTR};
  $command->{told} .= $text if $bytes;
  ($command->{leader}) = $command->{told} =~ /^s(\d+)$/m if defined $command->{told};
  kill "TERM", -$command->{leader} if $command->{leader} && delete $command->{asked};
  end_tree($command) if $command->{leader} && delete $command->{unwanted};
  my ($end) = defined $command->{told} ? $command->{told} =~ /^([nek].*)\n/ms : ();
  return if !defined $end && $bytes;
  close $command->{status};
  delete $command->{status};
  chomp $end if defined $end;
  # A supervisor that is no more was ended with its command.
  $command->{end} = defined $end ? $end : "k9";
}

sub drain {
  my ($channel, $command, $stream) = @_;
  return if $command->{credit}[$stream] <= 0;
  my $pipe = $command->{out}[$stream];
  my $wanted = $command->{credit}[$stream] < $piece ? $command->{credit}[$stream] : $piece;
  my $bytes = sysread($pipe, my $text, $wanted);
  if ($bytes) {
    $command->{credit}[$stream] -= $bytes;
    send_frame("O", $channel, pack("C", $stream) . $text);
    # More than a pipe holds: what a process left behind writes after the end is not the command's.
    $command->{after}[$stream] += $bytes if $command->{end};
    return if !$command->{end} || $command->{after}[$stream] < 1 << 20;
  }
  elsif (!defined $bytes && $!{EINTR}) { return }
  elsif (!defined $bytes && $!{EAGAIN}) { return if !$command->{end} }
  if (defined $bytes && !$bytes) { close $pipe }
  else { push @discards, $pipe }
  $command->{out}[$stream] = undef;
  $command->{drained}[$stream] = 1;
}

# Whether something is left to be read of an ended command that its reader has room for.
sub can_finish {
  my ($command) = @_;
  return $command->{end} && grep { !$command->{drained}[$_] && $command->{credit}[$_] > 0 } 1, 2;
}

sub finish {
  my ($channel, $command) = @_;
  close $command->{in} if $command->{in};
  delete $commands{$channel};
  send_frame("Z", $channel, $command->{end});
}

sub refuse {
  my ($channel, $message) = @_;
  delete $commands{$channel};
  send_frame("Z", $channel, "n$message");
}
