# The machine as its agent finds it.

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
