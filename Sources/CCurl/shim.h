#pragma once
#include <curl/curl.h>
#include <pthread.h>
#include <signal.h>

// The variadic calls of libcurl's easy API, which Swift cannot import, one for each type of
// argument, and the calls that may raise SIGPIPE.

static inline CURLcode ccurl_set_number(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_size(CURL *easy, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(easy, option, value);
}

/// libcurl copies the text.
static inline CURLcode ccurl_set_text(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}

/// A pointer to data of the caller's, which must stay in place while the transfer runs.
static inline CURLcode ccurl_set_data(CURL *easy, CURLoption option, void *value) {
  return curl_easy_setopt(easy, option, value);
}

/// The bytes are not copied and must stay in place while the transfer runs. NULL is no bytes, where
/// libcurl would read them from standard input.
static inline CURLcode ccurl_set_body(CURL *easy, const void *bytes, curl_off_t count) {
  CURLcode result = curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, count);
  return result == CURLE_OK ? curl_easy_setopt(easy, CURLOPT_POSTFIELDS, bytes == NULL ? "" : (const char *)bytes)
                            : result;
}

/// The list must stay in place while the transfer runs.
static inline CURLcode ccurl_set_headers(CURL *easy, struct curl_slist *headers) {
  return curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
}

typedef size_t (*ccurl_receive)(char *bytes, size_t size, size_t count, void *context);
typedef int (*ccurl_progress)(void *context, curl_off_t download_total, curl_off_t downloaded,
                              curl_off_t upload_total, curl_off_t uploaded);
typedef int (*ccurl_before_request)(void *context, char *remote_address, char *local_address,
                                    int remote_port, int local_port);

/// Sets what is called while a transfer runs, all with the same context.
static inline CURLcode ccurl_set_callbacks(CURL *easy, void *context, ccurl_receive header,
                                           ccurl_receive body, ccurl_progress progress,
                                           ccurl_before_request before_request) {
  CURLcode results[] = {
      curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, header),
      curl_easy_setopt(easy, CURLOPT_HEADERDATA, context),
      curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, body),
      curl_easy_setopt(easy, CURLOPT_WRITEDATA, context),
      curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, progress),
      curl_easy_setopt(easy, CURLOPT_XFERINFODATA, context),
      curl_easy_setopt(easy, CURLOPT_NOPROGRESS, 0L),
      curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, before_request),
      curl_easy_setopt(easy, CURLOPT_PREREQDATA, context),
  };
  for (size_t index = 0; index < sizeof results / sizeof *results; index++) {
    if (results[index] != CURLE_OK) return results[index];
  }
  return CURLE_OK;
}

/// Has a transfer that ends early not wait for the thread that looks up a name, which may hang for
/// longer than any time limit. Older versions of libcurl can't do without.
static inline CURLcode ccurl_abandon_lookups(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075700
  return curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
#else
  (void)easy;
  return CURLE_OK;
#endif
}

static inline long ccurl_response_code(CURL *easy) {
  long code = 0;
  return curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &code) == CURLE_OK ? code : 0;
}

/// What keeps this thread from being killed by a write to a connection that the peer has closed.
/// With CURLOPT_NOSIGNAL libcurl leaves that to its caller, and OpenSSL writes without
/// MSG_NOSIGNAL.
typedef struct {
  sigset_t before;
  int was_pending;
} ccurl_pipe_guard;

static inline ccurl_pipe_guard ccurl_block_pipe(void) {
  ccurl_pipe_guard guard;
  sigset_t pending, pipe;
  sigpending(&pending);
  guard.was_pending = sigismember(&pending, SIGPIPE);
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &pipe, &guard.before);
  return guard;
}

static inline void ccurl_unblock_pipe(ccurl_pipe_guard guard) {
  sigset_t pending, pipe;
  sigpending(&pending);
  if (!guard.was_pending && sigismember(&pending, SIGPIPE)) {
    int signal;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    sigwait(&pipe, &signal);
  }
  pthread_sigmask(SIG_SETMASK, &guard.before, NULL);
}

/// `curl_easy_perform` without SIGPIPE.
static inline CURLcode ccurl_perform(CURL *easy) {
  ccurl_pipe_guard guard = ccurl_block_pipe();
  CURLcode result = curl_easy_perform(easy);
  ccurl_unblock_pipe(guard);
  return result;
}

/// `curl_easy_cleanup` without SIGPIPE, for it closes connections.
static inline void ccurl_cleanup(CURL *easy) {
  ccurl_pipe_guard guard = ccurl_block_pipe();
  curl_easy_cleanup(easy);
  ccurl_unblock_pipe(guard);
}

static inline CURLcode ccurl_global_init(void) { return curl_global_init(CURL_GLOBAL_DEFAULT); }
