# First process of a container: runs commands, moves files and ends processes for the host, which speaks to it in
# frames over standard input and output. Needs Perl 5.20 or later with its base modules alone.
#
# A frame is a length (N), a type (a), a channel (N) and the payload. Lists are packed as (N/a*)*.
use strict;
use warnings;
use Fcntl qw(:DEFAULT :mode);
use POSIX ();

my ($agent, $home, $input, $output, $shares_tmp) = @ARGV;
my $store = "/home/.ale";
my $o_path = 010000000;
my $piece = 65536;
my %commands;    # channel => what runs
my %supervisors; # process => channel
my %writes;      # channel => file being written
my @discards;    # outputs of processes that outlived their command
my %listeners;   # channel => a port of the loopback
my %connections; # channel => what came in by one, until the host has let go of it
my $most_connections = 256;
my ($accepted, $accept_from) = (0, 0);
my ($handles, %handles) = (0);
my (%baseline, %deleted_before, $baseline_time);
my $received = "";
my $first = "\0ale\n"; # The host begins with this: Podman hands us what it was asked by, before.

my %prctl = (x86_64 => 157, aarch64 => 167, riscv64 => 167, ppc64le => 171, s390x => 172);
my $prctl = $prctl{(POSIX::uname())[4]};

$SIG{CHLD} = sub { };
$SIG{PIPE} = "IGNORE";
$SIG{$_} = "IGNORE" for qw(INT TERM HUP);
umask 022;
# Who lists processes need not see all of this.
$0 = "ale";

no_cores();
prepare();
send_frame("B", 0, join "\n", (POSIX::uname())[2, 4], pretty_name());
serve();

# --- frames -------------------------------------------------------------------------------------------------------

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

sub send_frame {
  my ($type, $channel, $payload) = @_;
  my $frame = pack("NaN", length $payload, $type, $channel) . $payload;
  for (my $at = 0; $at < length $frame;) {
    my $bytes = syswrite STDOUT, $frame, length($frame) - $at, $at;
    if (defined $bytes) { $at += $bytes }
    elsif (!$!{EINTR}) { POSIX::_exit(0) }
  }
}

# --- commands -----------------------------------------------------------------------------------------------------

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

sub nonblocking {
  my ($pipe) = @_;
  fcntl($pipe, F_SETFL, fcntl($pipe, F_GETFL, 0) | O_NONBLOCK);
}

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

# --- forwarded ports ----------------------------------------------------------------------------------------------

# A port of the loopback, as the system gives it; who connects to it speaks with the host.
sub listen_for {
  my ($channel) = @_;
  my $port = eval {
    require Socket;
    socket(my $listener, Socket::AF_INET(), Socket::SOCK_STREAM(), 0) or fail($!);
    bind $listener, Socket::pack_sockaddr_in(0, Socket::INADDR_LOOPBACK()) or fail($!);
    listen $listener, 128 or fail($!);
    nonblocking($listener);
    $listeners{$channel} = $listener;
    (Socket::unpack_sockaddr_in(getsockname $listener))[0];
  };
  return send_frame("r", $channel, $@ =~ s/\n\z//r) if !defined $port;
  send_frame("R", $channel, pack "(N/a*)*", $port);
}

# One at a time, so that who floods the port holds up nobody else; those above the limit wait before it.
sub let_in {
  my ($listener) = @_;
  return if keys %connections >= $most_connections;
  my $socket;
  if (!accept $socket, $listeners{$listener}) {
    # Without handles or memory it would be tried again at once, and for ever.
    $accept_from = time + 1 if !$!{EAGAIN} && !$!{EINTR} && !$!{ECONNABORTED};
    return;
  }
  nonblocking($socket);
  setsockopt $socket, Socket::IPPROTO_TCP(), Socket::TCP_NODELAY(), 1;
  # What is not read waits here, as far as the host has been told of room, and not in the system as well.
  setsockopt $socket, Socket::SOL_SOCKET(), Socket::SO_SNDBUF(), $piece;
  # The host numbers its own channels from 1.
  my $channel = 0x80000000 | ($accepted++ & 0x7fffffff);
  $connections{$channel} = { listener => $listener, socket => $socket, credit => 0, pending => "" };
  send_frame("C", $listener, pack "N", $channel);
}

sub take_of_connection {
  my ($type, $payload, $connection) = @_;
  if ($type eq "I") { $connection->{pending} .= $payload if $connection->{socket} }
  elsif ($type eq "E") { $connection->{in_ended} = 1 }
  elsif ($type eq "W") { $connection->{credit} += (unpack "CN", $payload)[1] }
}

sub hear {
  my ($channel, $connection) = @_;
  return if $connection->{heard_all} || $connection->{credit} <= 0;
  my $wanted = $connection->{credit} < $piece ? $connection->{credit} : $piece;
  my $bytes = sysread($connection->{socket}, my $text, $wanted);
  return $!{EAGAIN} || $!{EINTR} ? () : break_off($channel, $connection) if !defined $bytes;
  $connection->{credit} -= $bytes;
  return send_frame("O", $channel, "\1$text") if $bytes;
  $connection->{heard_all} = 1;
  send_frame("N", $channel, "");
  end_connection($channel, $connection) if $connection->{said_all};
}

sub speak {
  my ($channel, $connection) = @_;
  if (length $connection->{pending}) {
    my $bytes = syswrite $connection->{socket}, $connection->{pending}, $piece;
    return $!{EAGAIN} || $!{EINTR} ? () : break_off($channel, $connection) if !defined $bytes;
    substr($connection->{pending}, 0, $bytes) = "";
    send_frame("A", $channel, pack "N", $bytes);
  }
  return if length $connection->{pending} || !$connection->{in_ended} || $connection->{said_all};
  shutdown $connection->{socket}, 1;
  $connection->{said_all} = 1;
  end_connection($channel, $connection) if $connection->{heard_all};
}

# It keeps its place until the host has let go of it, so that the host never has more of them than we.
sub end_connection {
  my ($channel, $connection) = @_;
  close delete $connection->{socket};
  send_frame("Z", $channel, "ended");
}

sub break_off {
  my ($channel, $connection) = @_;
  my $socket = delete $connection->{socket} or return;
  $connection->{pending} = "";
  reset_connection($socket);
  send_frame("Z", $channel, "broken");
}

sub drop {
  my ($channel) = @_;
  if (my $listener = delete $listeners{$channel}) {
    close $listener;
    drop($_) for grep { $connections{$_}{listener} == $channel } keys %connections;
  }
  elsif (my $connection = delete $connections{$channel}) {
    reset_connection($connection->{socket}) if $connection->{socket};
  }
}

# What is broken off does not look like what has come to its end.
sub reset_connection {
  my ($socket) = @_;
  setsockopt $socket, Socket::SOL_SOCKET(), Socket::SO_LINGER(), pack "ii", 1, 0;
  close $socket;
}

sub hang_up {
  break_off($_, $connections{$_}) for keys %connections;
  for my $channel (keys %listeners) {
    close delete $listeners{$channel};
    send_frame("Z", $channel, "");
  }
}

# --- processes ----------------------------------------------------------------------------------------------------

# Every process by number: [parent, group, state, name].
sub processes {
  my %found;
  opendir my $proc, "/proc" or return %found;
  for my $pid (grep { /^\d+$/ } readdir $proc) {
    open my $file, "<", "/proc/$pid/stat" or next;
    sysread($file, my $text, 4096) or next;
    my ($name, $state, $parent, $group) = $text =~ /^\d+ \((.*)\) (\S) (\d+) (\d+)/s or next;
    $found{$pid} = [$parent, $group, $state, $name];
  }
  return %found;
}

sub end_tree {
  my ($command) = @_;
  my $own = getpgrp;
  for (my $round = 0; $round < 5000; $round++) {
    my %all = processes();
    my %family = ($command->{supervisor} => 1);
    for (my $grown = 1; $grown;) {
      $grown = 0;
      for my $pid (keys %all) {
        next if $family{$pid} || !$family{$all{$pid}[0]};
        $family{$pid} = $grown = 1;
      }
    }
    delete $family{$command->{supervisor}};
    my @alive = grep { $all{$_}[2] !~ /[ZX]/ } keys %family;
    return if !@alive;
    # A whole group at once: none of it can be born meanwhile.
    kill "KILL", map { -$_ } grep { $_ != $own && $_ > 1 } map { $all{$_}[1] } @alive;
    kill "KILL", @alive;
    select undef, undef, undef, 0.002;
  }
}

sub quiesce {
  hang_up();
  my $others = sub {
    my %all = processes();
    grep { $_->[2] !~ /[ZX]/ } map { $all{$_} } grep { $_ != $$ && !$supervisors{$_} } keys %all;
  };
  my @names = map { $_->[3] } $others->();
  for (my $round = 0; $round < 5000; $round++) {
    kill "KILL", -1;
    1 while waitpid(-1, POSIX::WNOHANG()) > 0;
    return sort @names if !$others->();
    select undef, undef, undef, 0.002;
  }
  return sort @names;
}

# --- files --------------------------------------------------------------------------------------------------------

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

sub fail { die "$_[0]\n" }

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

sub folder {
  my ($path, $owner, $mode, $seize) = @_;
  my $at = "";
  for my $name (grep { $_ ne "" && $_ ne "." } split m{/}, $path) {
    $at .= "/$name";
    next if -d $at;
    mkdir $at, 0755 or $!{EEXIST} && -d $at or fail("cannot be made: $at: $!");
    chown $owner, $owner, $at;
  }
  chown $owner, $owner, $path if $seize;
  chmod $mode, $path if $mode ne "";
  return;
}

sub parent { my ($path) = @_; $path =~ s{/+[^/]*/*$}{}; return $path eq "" ? "/" : $path }

sub begin_write {
  my ($channel, $path, $owner, $mode, $modified) = @_;
  my $draft = parent($path) . "/.ale-draft-$channel";
  my $write = $writes{$channel} = { path => $path, draft => $draft, owner => $owner, mode => $mode, modified => $modified };
  eval {
    folder(parent($path), $owner, "");
    sysopen $write->{file}, $draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600 or fail("cannot be written: $!");
    1;
  } or $write->{error} = $@;
}

sub write_piece {
  my ($write, $text) = @_;
  for (my $at = 0; !$write->{error} && $at < length $text;) {
    my $bytes = syswrite $write->{file}, $text, length($text) - $at, $at;
    if (defined $bytes) { $at += $bytes }
    elsif (!$!{EINTR}) { $write->{error} = "cannot be written: $!" }
  }
}

sub finish_write {
  my ($channel) = @_;
  my $write = delete $writes{$channel};
  my $file = $write->{file};
  if (!$write->{error}) {
    chown $write->{owner}, $write->{owner}, $file;
    chmod $write->{mode}, $file;
    close $file;
    utime $write->{modified}, $write->{modified}, $write->{draft} if $write->{modified} ne "";
    rename $write->{draft}, $write->{path} or $write->{error} = "cannot be written: $!";
  }
  return send_frame("R", $channel, "") if !$write->{error};
  unlink $write->{draft} if $file;
  send_frame("r", $channel, $write->{error} =~ s/\n\z//r);
}

sub put_link {
  my ($path, $target, $owner) = @_;
  folder(parent($path), $owner, "");
  my $draft = parent($path) . "/.ale-draft-link";
  unlink $draft;
  symlink $target, $draft or fail("cannot be made: $!");
  POSIX::lchown($owner, $owner, $draft);
  rename $draft, $path or fail("cannot be made: $!");
  return;
}

sub remove_path {
  my ($path) = @_;
  sysopen my $folder, parent($path), $o_path | O_DIRECTORY or return;
  my ($name) = $path =~ m{([^/]+)/*$} or fail("names no file");
  remove_entry($folder, $name);
  return;
}

# Never through a link: every name is looked up in an open folder.
sub remove_entry {
  my ($folder, $name) = @_;
  my $at = "/proc/self/fd/" . fileno($folder) . "/$name";
  if (sysopen my $inner, $at, $o_path | O_DIRECTORY | O_NOFOLLOW) {
    opendir my $listing, "/proc/self/fd/" . fileno $inner or fail("cannot be removed: $!");
    remove_entry($inner, $_) for grep { $_ ne "." && $_ ne ".." } readdir $listing;
    rmdir $at or $!{ENOENT} or fail("cannot be removed: $!");
  }
  else { unlink $at or $!{ENOENT} or $!{ENOTDIR} or fail("cannot be removed: $!") }
}

# The folder of something read-only: the agent may add to it, and not move or remove what is not its own.
sub hold {
  my ($path) = @_;
  my $folder = parent($path);
  my $owner = (lstat $folder)[4];
  return if !defined $owner || $owner != $agent;
  chown 0, $agent, $folder;
  chmod 01775, $folder;
  return;
}

sub mark {
  %baseline = snapshot();
  %deleted_before = map { $_ => 1 } @_;
  $baseline_time = now_of_files();
  return;
}

# What differs in home and the temporary folders; of the rest, what the daemon names as added (A), changed (C) or deleted
# (D), and what the host has touched (T).
sub changes {
  my ($limit, @named) = @_;
  my %now = snapshot();
  my %found;
  for my $path (keys %now) { $found{$path} = "created-or-changed" if ($baseline{$path} || "") ne $now{$path} }
  for my $path (keys %baseline) { $found{$path} = "deleted" if !exists $now{$path} }
  for my $entry (@named) {
    my ($kind, $path) = unpack "a a*", $entry;
    if ($kind eq "D") { $found{$path} = "deleted" if !$deleted_before{$path}; next }
    next if $path =~ m{^/(home|tmp|var/tmp)(/|$)} && $shares_tmp;
    my @stat = lstat $path;
    if (!@stat) { $found{$path} = "deleted" if $kind eq "T"; next }
    my @times = split / /, fine_times($path, 0) || "$stat[10] 0 0 0 $stat[10] 0";
    # A folder is new or not; what was put into it is named itself.
    my ($seconds, $fraction) = S_ISDIR($stat[2]) ? @times[4, 5] : @times[0, 1];
    $found{$path} = "created-or-changed" if later($seconds, $fraction, @$baseline_time);
  }
  my @paths = sort keys %found;
  splice @paths, $limit if @paths > $limit;
  return map { ($_, $found{$_}) } @paths;
}

sub later { my ($a, $b, $c, $d) = @_; $a > $c || $a == $c && $b > $d }

sub now_of_files {
  my $path = "/run/ale/.now";
  sysopen my $file, $path, O_WRONLY | O_CREAT | O_TRUNC, 0600;
  my ($seconds, $fraction) = split / /, fine_times($path, 0) || (stat $file)[10] . " 0";
  unlink $path;
  return [$seconds, $fraction];
}

sub snapshot {
  my %found;
  my @folders = ($home, $shares_tmp ? ("$store/tmp", "$store/var-tmp") : ());
  while (defined(my $folder = shift @folders)) {
    opendir my $listing, $folder or next;
    for my $name (readdir $listing) {
      next if $name eq "." || $name eq "..";
      last if keys %found > 400_000;
      my $path = "$folder/$name";
      my @stat = lstat $path or next;
      my $shown = $path;
      $shown =~ s{^\Q$store\E/tmp}{/tmp} || $shown =~ s{^\Q$store\E/var-tmp}{/var/tmp};
      if (S_ISDIR($stat[2])) { $found{$shown} = "folder"; push @folders, $path }
      else { $found{$shown} = join " ", @stat[1, 2, 4, 7], fine_times($path, 0) || @stat[9, 10] }
    }
  }
  return %found;
}

sub packages {
  open my $file, "<", "/var/lib/dpkg/status" or return "";
  my $text = "";
  while (<$file>) { $text .= $_ if /^(?:Package|Version): / }
  return $text;
}

# --- the machine --------------------------------------------------------------------------------------------------

sub prepare {
  for (["/run/ale", 0755], ["/ale", 0755], ["/root", 0700], ["/var/tmp", 01777], ["/tmp", 01777]) {
    mkdir $_->[0], $_->[1];
  }
  # Nobody but its administrator writes on the system's disk, which has no limit.
  chmod 0755, "/run/lock";
  accounts();
  my $skeleton = "/etc/ale/home";
  for (["/home", 0, 0755], [$home, $agent, 0755], [$input, $agent, 0755], [$output, $agent, 0755]) {
    mkdir $_->[0];
    chown $_->[1], $_->[1], $_->[0];
    chmod $_->[2], $_->[0];
  }
  if ($shares_tmp) {
    for ([$store, 0711], ["$store/tmp", 01777], ["$store/var-tmp", 01777]) { mkdir $_->[0]; chmod $_->[1], $_->[0] }
    replace("/tmp", "$store/tmp");
    replace("/var/tmp", "$store/var-tmp");
  }
  copy_home($skeleton, $home) if -d $skeleton;
  %baseline = snapshot();
  $baseline_time = now_of_files();
}

# A program that crashes leaves no image of its memory; through the daemon, Podman would take its other limits for unset.
sub no_cores {
  my $prlimit = {x86_64 => 302, aarch64 => 261}->{(POSIX::uname())[4]} or return;
  my $none = pack "QQ", 0, 0;
  syscall $prlimit, 0, 4, $none, 0;
}

sub replace {
  my ($path, $target) = @_;
  opendir my $listing, $path or return;
  sysopen my $folder, $path, $o_path | O_DIRECTORY or return;
  remove_entry($folder, $_) for grep { $_ ne "." && $_ ne ".." } readdir $listing;
  rmdir $path or die "the folder $path of the image cannot be replaced: $!";
  symlink $target, $path or die "$path: $!";
}

sub copy_home {
  my ($from, $to) = @_;
  opendir my $listing, $from or return;
  for my $name (grep { $_ ne "." && $_ ne ".." } readdir $listing) {
    my ($source, $target) = ("$from/$name", "$to/$name");
    my $mode = (lstat $source)[2];
    if (S_ISLNK($mode)) { symlink readlink($source), $target; next }
    if (S_ISDIR($mode)) { mkdir $target; copy_home($source, $target) }
    else {
      open my $in, "<:raw", $source or next;
      open my $out, ">:raw", $target or next;
      print {$out} $_ while read $in, $_, $piece;
      close $out;
    }
    chmod $mode & 0777, $target;
    chown $agent, $agent, $target;
  }
}

# The system's accounts and the agent, whatever people the image has.
sub accounts {
  my $shell = -x "/bin/bash" ? "/bin/bash" : "/bin/sh";
  rewrite("/etc/passwd", 2, "agent:x:$agent:$agent:agent:$home:$shell");
  rewrite("/etc/group", 2, "agent:x:$agent:");
}

sub rewrite {
  my ($path, $field, $own) = @_;
  my @lines;
  if (open my $file, "<", $path) {
    while (<$file>) {
      chomp;
      my $number = (split /:/)[$field];
      push @lines, $_ if defined $number && $number =~ /^\d+$/ && ($number < 1000 || $number == 65534);
    }
  }
  open my $file, ">", $path or die "$path: $!";
  print {$file} "$_\n" for @lines, $own;
  close $file;
}

sub pretty_name {
  for my $path ("/etc/os-release", "/usr/lib/os-release") {
    open my $file, "<", $path or next;
    while (<$file>) { return $1 if /^PRETTY_NAME="?([^"\n]*)"?$/ }
  }
  return "unknown Linux";
}
