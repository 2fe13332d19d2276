# Processes, ended with all they started.

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
