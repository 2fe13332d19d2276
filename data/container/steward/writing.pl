# Files and folders that the host puts there or takes away.

my %writes;      # channel => file being written

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
