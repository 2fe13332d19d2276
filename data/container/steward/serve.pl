# What the host asks for, and the loop that all of it is done in.

my $received = "";
my $first = "\0ale\n"; # The host begins with this: Podman hands us what it was asked by, before.

sub serve {
  for (;;) {
    1 while waitpid(-1, POSIX::WNOHANG()) > 0;
    my ($readable, $writable) = ("", "");
    vec($readable, 0, 1) = 1;
    for my $command (values %commands) {
      vec($readable, fileno $command->{status}, 1) = 1 if $command->{status};
      for my $stream (1, 2) {
        my $pipe = $command->{out}[$stream];
        vec($readable, fileno $pipe, 1) = 1 if $pipe && $command->{credit}[$stream] > 0;
      }
      vec($writable, fileno $command->{in}, 1) = 1
        if $command->{in} && (length $command->{pending} || $command->{in_ended});
    }
    vec($readable, fileno $_, 1) = 1 for @discards;
    my $resting = $accept_from > time;
    if (!$resting && keys %connections < $most_connections) { vec($readable, fileno $_, 1) = 1 for values %listeners }
    for my $connection (grep { $_->{socket} } values %connections) {
      my $number = fileno $connection->{socket};
      vec($readable, $number, 1) = 1 if !$connection->{heard_all} && $connection->{credit} > 0;
      vec($writable, $number, 1) = 1 if length $connection->{pending} || ($connection->{in_ended} && !$connection->{said_all});
    }
    my $left = grep { can_finish($_) } values %commands;
    next if select($readable, $writable, undef, $left ? 0 : $resting ? 1 : undef) < 0;
    if (vec $readable, 0, 1) {
      my $bytes = sysread STDIN, $received, 1 << 20, length $received;
      # The host is gone: so is the machine.
      POSIX::_exit(0) if !$bytes && (defined $bytes || !$!{EINTR});
      take_frames();
    }
    @discards = grep { !vec($readable, fileno $_, 1) || sysread($_, my $dropped, $piece) || $!{EAGAIN} } @discards;
    for my $channel (keys %commands) {
      my $command = $commands{$channel} or next;
      feed($channel, $command) if $command->{in} && vec $writable, fileno $command->{in}, 1;
      follow($channel, $command) if $command->{status} && vec $readable, fileno $command->{status}, 1;
      for my $stream (1, 2) {
        my $pipe = $command->{out}[$stream];
        drain($channel, $command, $stream) if $pipe && ($command->{end} || vec $readable, fileno $pipe, 1);
      }
      finish($channel, $command) if $command->{end} && $command->{drained}[1] && $command->{drained}[2];
    }
    for my $channel (keys %connections) {
      my $connection = $connections{$channel};
      speak($channel, $connection) if $connection->{socket} && vec $writable, fileno $connection->{socket}, 1;
      hear($channel, $connection) if $connection->{socket} && vec $readable, fileno $connection->{socket}, 1;
    }
    for my $channel (keys %listeners) {
      let_in($channel) if vec $readable, fileno $listeners{$channel}, 1;
    }
  }
}

sub take_frames {
  if (defined $first) {
    my $begin = index $received, $first;
    return if $begin < 0;
    substr($received, 0, $begin + length $first) = "";
    undef $first;
  }
  my $at = 0;
  while (length($received) - $at >= 9) {
    my ($length, $type, $channel) = unpack "NaN", substr $received, $at, 9;
    last if length($received) - $at < 9 + $length;
    take($type, $channel, substr $received, $at + 9, $length);
    $at += 9 + $length;
  }
  substr($received, 0, $at) = "" if $at;
}

sub take {
  my ($type, $channel, $payload) = @_;
  return take_of_connection($type, $payload, $connections{$channel}) if $connections{$channel} && $type ne "D";
  my $command = $commands{$channel};
  if ($type eq "X") { open_command($channel, unpack "(N/a*)*", $payload) }
  elsif ($type eq "F") { answer($channel, unpack "(N/a*)*", $payload) }
  elsif ($type eq "I") {
    if ($writes{$channel}) { write_piece($writes{$channel}, $payload) }
    elsif ($command && $command->{spool}) { write_piece($command, $payload) }
    elsif ($command) { $command->{pending} .= $payload if $command->{in} }
  }
  elsif ($type eq "E") {
    if ($writes{$channel}) { finish_write($channel) }
    elsif ($command && $command->{spool}) { start_spooled($channel, $command) }
    elsif ($command) { $command->{in_ended} = 1 }
  }
  elsif ($type eq "W") {
    my ($stream, $bytes) = unpack "CN", $payload;
    $command->{credit}[$stream] += $bytes if $command;
  }
  # What a command writes may be heard before its number is.
  elsif ($type eq "T") { $command->{leader} ? kill("TERM", -$command->{leader}) : ($command->{asked} = 1) if $command }
  elsif ($type eq "K") { $command->{leader} ? end_tree($command) : ($command->{unwanted} = 1) if $command && !$command->{end} }
  elsif ($type eq "Q") { send_frame("R", $channel, pack "(N/a*)*", quiesce()) }
  elsif ($type eq "L") { listen_for($channel) }
  elsif ($type eq "D") { drop($channel) }
}

sub answer {
  my ($channel, $name, @arguments) = @_;
  my %known = (
    open => \&open_path, child => \&open_child, names => \&names, read => \&read_handle, facts => \&facts_of,
    close => \&close_handle, put => \&put, folder => \&folder, link => \&put_link, remove => \&remove_path,
    hold => \&hold, mark => \&mark, changes => \&changes, packages => \&packages,
  );
  return begin_write($channel, @arguments) if $name eq "put";
  my @answer = eval { $known{$name}->(@arguments) };
  return send_frame("r", $channel, $@ =~ s/\n\z//r) if $@;
  send_frame("R", $channel, pack "(N/a*)*", @answer);
}

no_cores();
prepare();
send_frame("B", 0, join "\n", (POSIX::uname())[2, 4], pretty_name());
serve();
