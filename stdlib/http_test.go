package stdlib

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	lua "github.com/yuin/gopher-lua"
)

// testService answers what tests and examples ask for. Entered gets a word for each request that hangs.
func testService(t testing.TB) (base string, entered chan string) {
	entered = make(chan string, 1)
	mux := http.NewServeMux()
	answer := func(path string, status int, header, body string) {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			if name, value, has := strings.Cut(header, ": "); has {
				w.Header().Set(name, value)
			}
			w.WriteHeader(status)
			_, _ = io.WriteString(w, body)
		})
	}
	const kind = "Content-Type: application/json"
	answer("/item", 200, kind, `{"name":"widget","tags":[],"none":null}`)
	answer("/throttled", 400, kind, `{"__type":"com.amazonaws.dynamodb.v20120810#ThrottlingException","message":"Rate exceeded"}`)
	answer("/code", 409, kind, `{"code":"ConflictError","message":"it exists"}`)
	answer("/nested", 500, kind, `{"error":{"type":"overloaded_error","message":"come back later"}}`)
	answer("/oauth", 401, kind, `{"error":"invalid_grant","code":401}`)
	answer("/header", 400, "X-Amzn-Errortype: ValidationException:http://internal.amazon.com/", `{"Message":"bad key"}`)
	answer("/busy", 429, "Retry-After: 7", "slow down")
	answer("/down", 503, "", "<html>down</html>")
	answer("/strange", 599, "", "")
	answer("/large", 200, "", strings.Repeat("x", 1000))
	mux.HandleFunc("/echo", func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Add("X-Many", "1")
		w.Header().Add("X-Many", "2")
		fmt.Fprint(w, strings.Join(strings.Fields(fmt.Sprintf("%s %s %s %s", r.Method, r.URL, r.Header.Get("Content-Type"), body)), " "))
	})
	mux.HandleFunc("/headers", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, r.Host, " ", r.Header["X-List"], " ", r.Header.Get("X-Number"), " ", r.UserAgent())
	})
	mux.HandleFunc("/hang", func(w http.ResponseWriter, r *http.Request) {
		entered <- r.URL.Path
		<-r.Context().Done()
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL, entered
}

func TestHTTP(t *testing.T) {
	base, _ := testService(t)
	a := newActivityLua(t, "")
	_, err := a.run(`http, json, base = require "http", require "json", ...`, lua.LString(base))
	require.NoError(t, err)
	a.check(t, []activityCase{
		{source: `local r = http.get(base .. "/item") return r.status, r.headers["Content-Type"], r:json().name, json.encode(r:json())`, result: `200	application/json	widget	{"name":"widget","tags":[]}`},
		{source: `return http.get(base .. "/echo?a=1", {query = {b = "x y", c = {1, 2}, d = true}}).body`, result: "GET /echo?a=1&b=x+y&c=1&c=2&d=true"},
		{source: `return http.get(base .. "/echo").headers["x-many"], http.get(base .. "/echo").headers["X-Missing"]`, result: "1, 2\tnil"},
		{source: `return http.post(base .. "/echo", {a = 1}).body`, result: `POST /echo application/json {"a":1}`},
		{source: `return http.post(base .. "/echo", "text", {headers = {["content-type"] = "text/plain"}}).body`, result: "POST /echo text/plain text"},
		{source: `return http.post(base .. "/echo").body`, result: "POST /echo"},
		{source: `return http.request({url = base .. "/echo", method = "PUT", json = json.null}).body`, result: "PUT /echo application/json null"},
		{source: `return http.request({url = base .. "/echo"}).body`, result: "GET /echo"},
		{source: `return http.get(base .. "/headers", {headers = {Host = "example.org", ["x-list"] = {"a", "b"}, ["x-number"] = 1, ["User-Agent"] = "me"}}).body`, result: "example.org [a b] 1 me"},
		{source: `return http.get(base .. "/item"):raise():json().name`, result: "widget"},
		{source: `return json.encode(http.get(base .. "/large", {max_bytes = 1000}).status)`, result: "200"},
		{source: `return http.get(base .. "/missing").status`, result: "404"},

		{source: `http.get("ftp://x")`, err: `test.lua:1: http.get: expects a URL that begins with http:// or https://, got "ftp://x"`},
		{source: `http.get()`, err: "http.get expects a URL as argument #1, got nil"},
		{source: `http.get(base, {time_out = 1})`, err: "http.get: unknown option 'time_out' (did you mean 'timeout'?)"},
		{source: `http.get(base, {timeout = "soon"})`, err: "http.get: option 'timeout' expects a duration"},
		{source: `http.get(base, {headers = {["a b"] = 1}})`, err: `option 'headers': "a b: 1" is no header`},
		{source: `http.get(base, {headers = {a = "x\r\ny"}})`, err: "is no header"},
		{source: `http.get(base, {headers = {"a"}})`, err: "option 'headers' expects names as keys"},
		{source: `http.get(base, {query = {a = {print}}})`, err: "option 'query.a' expects a string"},
		{source: `http.request({})`, err: "http.request: expects the option 'url'"},
		{source: `http.request({url = base, json = 1, body = "x"})`, err: "the options 'body' and 'json' exclude each other"},
		{source: `http.request({url = base, method = "A B"})`, err: `invalid method "A B"`},
		{source: `http.post(base, 1)`, err: "expects a body that is a string, or a table to send as JSON, got number 1"},
		{source: `http.post(base, {print})`, err: "http.post: json[1]: a function cannot be written as JSON"},
		{source: `http.get(base .. "/down"):json()`, err: `the answer 503 of GET ` + base + `/down is not JSON at line 1, column 1 (byte 0): expected a value, found '<'; it begins with "<html>down</html>"`},
		{source: `http.get(base .. "/item").json()`, err: "res:json expects an answer of http, got nil; call it with a colon: res:json()"},
		{source: `http.put(base)`, err: "http has no 'put'"},
	})
}

func TestServiceErrors(t *testing.T) {
	base, _ := testService(t)
	a := newActivityLua(t, "")
	_, err := a.run(`http, base = require "http", ...
	function try(path, options)
		local ok, e = pcall(function() return http.get(base .. path, options):raise() end)
		assert(not ok)
		return e.status, e.name, e.message, table.concat(e.kinds, ","), e.retryable
	end`, lua.LString(base))
	require.NoError(t, err)
	a.check(t, []activityCase{
		{source: `return try("/throttled")`, result: "400\tThrottlingException\tRate exceeded\tThrottlingError,ClientError,ServiceError\ttrue"},
		{source: `return try("/code")`, result: "409\tConflictError\tit exists\tClientError,ServiceError\tfalse"},
		{source: `return try("/nested")`, result: "500\toverloaded_error\tcome back later\tServerError,ServiceError\ttrue"},
		{source: `return try("/oauth")`, result: "401\tUnauthorized\tinvalid_grant\tClientError,ServiceError\tfalse"},
		{source: `return try("/header")`, result: "400\tValidationException\tbad key\tClientError,ServiceError\tfalse"},
		{source: `return try("/busy", {raise = true})`, result: "429\tTooManyRequests\tGET " + base + "/busy answered 429 Too Many Requests\tThrottlingError,ClientError,ServiceError\ttrue"},
		{source: `return try("/down")`, result: "503\tServiceUnavailable\tGET " + base + "/down answered 503 Service Unavailable\tServerError,ServiceError\ttrue"},
		{source: `return try("/strange")`, result: "599\tServiceError\tGET " + base + "/strange answered 599\tServerError\ttrue"},
		{source: `return try("/large", {max_bytes = 999})`, result: "nil\tResponseTooLarge\tGET " + base + "/large: the answer is longer than 999 bytes; raise the option 'max_bytes' if that is right\t\tfalse"},
		{source: `local ok, e = pcall(http.get, base .. "/busy", {raise = true}) local d = e.details return d.method, d.url, d.body, d.retry_after`, result: "GET\t" + base + "/busy\tslow down\t7"},
		{source: `local ok, e = pcall(http.get, base .. "/code", {raise = true}) return e.details.body.code, #e:trace() > 0`, result: "ConflictError\ttrue"},
	})
}

func TestNoAnswer(t *testing.T) {
	base, entered := testService(t)
	closed := httptest.NewServer(nil)
	closed.Close()
	a := newActivityLua(t, "")
	_, err := a.run(`http, base, closed = require "http", ...`, lua.LString(base), lua.LString(closed.URL))
	require.NoError(t, err)
	a.check(t, []activityCase{
		{source: `local ok, e = pcall(http.get, closed) return e.name, e.retryable, e.message:find("connection refused", 1, true) ~= nil`, result: "ConnectionError\ttrue\ttrue"},
		{source: `local ok, e = pcall(http.get, base .. "/hang", {timeout = "20ms"}) return e.name, e.timeout, e.retryable, e.message`, result: "TimeoutError\thttp\ttrue\tGET " + base + "/hang: no answer within 20ms"},
	})
	for len(entered) > 0 {
		<-entered
	}
	go func() {
		<-entered
		a.cancel(nil)
	}()
	_, err = a.run(`http.get(base .. "/hang")`)
	require.EqualError(t, err, "CancelledError: the activity was told to stop")
	_, err = a.run(`http.get(base .. "/item")`)
	require.EqualError(t, err, "CancelledError: the activity was told to stop")
}
