# What has changed since it was asked to remember, and what is installed.

my (%baseline, %deleted_before, $baseline_time);

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
