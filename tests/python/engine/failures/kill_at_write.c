// SPDX-License-Identifier: BSD-3-Clause
//
// Preloaded into a process, kills it with SIGKILL at the n-th call that changes a file below a
// folder: in front of it, or, of a write, when half of the bytes are written. With n = 0 it only
// counts, and leaves the count in a file.
//
// FG_KILL_FOLDER, FG_KILL_AT, FG_KILL_TORN (1: count writes only, and tear them), FG_KILL_COUNT.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_long calls;

static const char* folder(void) {
  const char* text = getenv("FG_KILL_FOLDER");
  return text != NULL && *text != '\0' ? text : "/nowhere/at/all";
}
static long kill_at(void) {
  const char* text = getenv("FG_KILL_AT");
  return text != NULL ? atol(text) : 0;
}
static int torn(void) {
  const char* text = getenv("FG_KILL_TORN");
  return text != NULL && *text == '1';
}
static int is_below(const char* path) {
  return strncmp(path, folder(), strlen(folder())) == 0;
}
static int is_open_below(int file) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  const ssize_t size = readlink(link, path, sizeof path - 1);
  if (size <= 0) return 0;
  path[size] = '\0';
  return is_below(path);
}
static int is_due(void) {
  return atomic_fetch_add(&calls, 1) + 1 == kill_at();
}
static void die(void) {
  kill(getpid(), SIGKILL);
  for (;;) pause();
}
static void before_change(int counts) {
  if (counts && !torn() && is_due()) die();
}

__attribute__((destructor)) static void tell(void) {
  const char* path = getenv("FG_KILL_COUNT");
  if (path == NULL || kill_at() != 0) return;
  FILE* file = fopen(path, "w");
  if (file == NULL) return;
  fprintf(file, "%ld\n", atomic_load(&calls));
  fclose(file);
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int file, const void* bytes, size_t size) {
  if (is_open_below(file) && is_due()) {
    if (torn()) REAL(write)(file, bytes, size / 2);
    die();
  }
  return REAL(write)(file, bytes, size);
}
ssize_t pwrite(int file, const void* bytes, size_t size, off_t at) {
  if (is_open_below(file) && is_due()) {
    if (torn()) REAL(pwrite)(file, bytes, size / 2, at);
    die();
  }
  return REAL(pwrite)(file, bytes, size, at);
}
ssize_t pwrite64(int file, const void* bytes, size_t size, off64_t at) {
  return pwrite(file, bytes, size, at);
}
int fsync(int file) {
  before_change(is_open_below(file));
  return REAL(fsync)(file);
}
int fdatasync(int file) {
  before_change(is_open_below(file));
  return REAL(fdatasync)(file);
}
int ftruncate(int file, off_t size) {
  before_change(is_open_below(file));
  return REAL(ftruncate)(file, size);
}
int ftruncate64(int file, off64_t size) {
  return ftruncate(file, size);
}
int rename(const char* from, const char* to) {
  before_change(is_below(to));
  return REAL(rename)(from, to);
}
int link(const char* from, const char* to) {
  before_change(is_below(to));
  return REAL(link)(from, to);
}
int unlink(const char* path) {
  before_change(is_below(path));
  return REAL(unlink)(path);
}
int remove(const char* path) {
  before_change(is_below(path));
  return REAL(remove)(path);
}
int open(const char* path, int flags, ...) {
  mode_t mode = 0;
  if (flags & (O_CREAT | O_TMPFILE)) {
    va_list more;
    va_start(more, flags);
    mode = va_arg(more, mode_t);
    va_end(more);
  }
  before_change((flags & (O_CREAT | O_TRUNC)) != 0 && is_below(path));
  return REAL(open)(path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  mode_t mode = 0;
  if (flags & (O_CREAT | O_TMPFILE)) {
    va_list more;
    va_start(more, flags);
    mode = va_arg(more, mode_t);
    va_end(more);
  }
  before_change((flags & (O_CREAT | O_TRUNC)) != 0 && is_below(path));
  return REAL(open64)(path, flags, mode);
}
