#include <curl/curl.h>
#include <stdio.h>
#include <string.h>

#include "floor.h"

static size_t ignore(char *bytes, size_t size, size_t count, void *context) {
  (void)bytes;
  (void)context;
  return size * count;
}

int64_t floor_upload(const char *url, const char *etag, const char *body, int count) {
  CURL *curl = curl_easy_init();
  char header[256];
  snprintf(header, sizeof header, "If-Match: %s", etag);
  struct curl_slist *headers = curl_slist_append(NULL, header);
  headers = curl_slist_append(headers, "Content-Type: application/merge-patch+json");
  curl_easy_setopt(curl, CURLOPT_URL, url);
  curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, "PATCH");
  curl_easy_setopt(curl, CURLOPT_POSTFIELDS, body);
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
  curl_easy_setopt(curl, CURLOPT_FRESH_CONNECT, 1L);
  curl_easy_setopt(curl, CURLOPT_FORBID_REUSE, 1L);
  curl_easy_setopt(curl, CURLOPT_NOPROXY, "*");
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, ignore);
  int64_t done = 0;
  for (int i = 0; i < count; i++) {
    long status = 0;
    if (curl_easy_perform(curl) == CURLE_OK) curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
    done += status == 200;
  }
  curl_slist_free_all(headers);
  curl_easy_cleanup(curl);
  return done;
}
