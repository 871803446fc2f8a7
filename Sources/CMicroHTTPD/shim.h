#pragma once
#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

// Starting a daemon is variadic, which Swift cannot import; the sockets' addresses are cast. The
// library's enumerations are imported in one way or another, depending on its version.

/// What a callback answers: whether it goes on.
static inline enum MHD_Result cmhd_result(bool goes_on) { return goes_on ? MHD_YES : MHD_NO; }

static inline const char *cmhd_header(struct MHD_Connection *connection, const char *name) {
  return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

static inline const char *cmhd_cookie(struct MHD_Connection *connection, const char *name) {
  return MHD_lookup_connection_value(connection, MHD_COOKIE_KIND, name);
}

static inline const char *cmhd_query(struct MHD_Connection *connection, const char *name) {
  return MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, name);
}

/// A response of bytes, which are copied.
static inline struct MHD_Response *cmhd_response(const void *bytes, size_t count) {
  return MHD_create_response_from_buffer(count, (void *)(uintptr_t)bytes, MHD_RESPMEM_MUST_COPY);
}

/// Whether an address can be reached from this machine alone.
static inline int cmhd_is_loopback(const struct sockaddr *address) {
  if (address->sa_family == AF_INET)
    return ntohl(((const struct sockaddr_in *)(const void *)address)->sin_addr.s_addr) >> 24 == 127;
  if (address->sa_family == AF_INET6)
    return IN6_IS_ADDR_LOOPBACK(&((const struct sockaddr_in6 *)(const void *)address)->sin6_addr);
  return 0;
}

typedef enum {
  CMHD_LISTENING,
  /// The name has no address; `number` is of getaddrinfo.
  CMHD_UNKNOWN_HOST,
  /// An address is not this machine's own.
  CMHD_NOT_LOOPBACK,
  /// `number` is an errno.
  CMHD_FAILED,
} cmhd_listen_result;

typedef struct {
  cmhd_listen_result result;
  int number;
  int descriptor;
  unsigned port;
} cmhd_listener;

/// Listens at the first address of a host that can be bound.
static inline cmhd_listener cmhd_listen(const char *host, const char *port, int loopback_only) {
  cmhd_listener listener = {CMHD_FAILED, EADDRNOTAVAIL, -1, 0};
  struct addrinfo hints = {.ai_flags = AI_PASSIVE | AI_NUMERICSERV, .ai_socktype = SOCK_STREAM};
  struct addrinfo *found = NULL;
  int failure = getaddrinfo(host, port, &hints, &found);
  if (failure != 0) {
    listener.result = CMHD_UNKNOWN_HOST;
    listener.number = failure;
    return listener;
  }
  for (struct addrinfo *info = found; info != NULL; info = info->ai_next) {
    if (listener.descriptor >= 0) break;
    if (loopback_only && !cmhd_is_loopback(info->ai_addr)) {
      listener.result = CMHD_NOT_LOOPBACK;
      continue;
    }
    int on = 1;
    int descriptor = socket(info->ai_family, info->ai_socktype, info->ai_protocol);
    if (descriptor < 0) {
      listener.number = errno;
      continue;
    }
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    struct sockaddr_storage bound;
    socklen_t size = sizeof bound;
    if (bind(descriptor, info->ai_addr, info->ai_addrlen) != 0 || listen(descriptor, 64) != 0 ||
        getsockname(descriptor, (struct sockaddr *)&bound, &size) != 0) {
      listener.result = CMHD_FAILED;
      listener.number = errno;
      close(descriptor);
      continue;
    }
    listener.result = CMHD_LISTENING;
    listener.descriptor = descriptor;
    listener.port = ntohs(bound.ss_family == AF_INET6
                              ? ((struct sockaddr_in6 *)(void *)&bound)->sin6_port
                              : ((struct sockaddr_in *)(void *)&bound)->sin_port);
  }
  freeaddrinfo(found);
  return listener;
}

/// Closes a listener's socket that no daemon took.
static inline void cmhd_close(cmhd_listener listener) { close(listener.descriptor); }

/// Serves what comes in at a socket, with a few threads of the library's own. Connections can be
/// suspended. The socket is closed when the daemon is stopped.
static inline struct MHD_Daemon *cmhd_start(int descriptor, MHD_AccessHandlerCallback handler,
                                            MHD_RequestCompletedCallback completed, void *context) {
  return MHD_start_daemon(
      MHD_USE_AUTO_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, handler, context,
      MHD_OPTION_LISTEN_SOCKET, descriptor, MHD_OPTION_NOTIFY_COMPLETED, completed, context,
      MHD_OPTION_THREAD_POOL_SIZE, 4u, MHD_OPTION_CONNECTION_LIMIT, 256u,
      MHD_OPTION_CONNECTION_TIMEOUT, 60u, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)64 * 1024,
      MHD_OPTION_END);
}
