# Ports of the loopback, forwarded to the host.

my %listeners;   # channel => a port of the loopback
my %connections; # channel => what came in by one, until the host has let go of it
my $most_connections = 256;
my ($accepted, $accept_from) = (0, 0);

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
