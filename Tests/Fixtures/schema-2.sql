-- The schema of version 2 with data of every kind, as SQLite dumps it.
PRAGMA application_id = 1178882865;
PRAGMA user_version = 2;
PRAGMA foreign_keys = OFF;
BEGIN TRANSACTION;
CREATE TABLE acknowledged_value (
  draft INTEGER NOT NULL REFERENCES draft (number) ON DELETE CASCADE,
  service_key TEXT NOT NULL CHECK (service_key <> ''),
  type TEXT NOT NULL,
  value TEXT,
  PRIMARY KEY (draft, service_key)
) STRICT, WITHOUT ROWID;
INSERT INTO "acknowledged_value" VALUES(1,'rate','decimal','3.05');
INSERT INTO "acknowledged_value" VALUES(2,'interests','tags','["music","film","travel"]');
INSERT INTO "acknowledged_value" VALUES(2,'language','option','zh');
CREATE TABLE conflict (
  draft INTEGER NOT NULL REFERENCES draft (number) ON DELETE CASCADE,
  service_key TEXT NOT NULL CHECK (service_key <> ''),
  base_type TEXT,
  base_value TEXT,
  mine_type TEXT,
  mine_value TEXT,
  theirs_type TEXT,
  theirs_value TEXT,
  found_at INTEGER NOT NULL,
  PRIMARY KEY (draft, service_key)
) STRICT, WITHOUT ROWID;
INSERT INTO "conflict" VALUES(1,'rate','decimal','3.05','decimal','3.10',NULL,NULL,1796138650300);
CREATE TABLE draft (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
  form TEXT NOT NULL,
  version INTEGER NOT NULL,
  status TEXT NOT NULL DEFAULT 'editing' CHECK (status IN ('editing', 'submitted', 'discarded')),
  title TEXT NOT NULL DEFAULT '',
  subject TEXT CHECK (subject <> ''),
  revision INTEGER NOT NULL DEFAULT 0 CHECK (revision >= 0),
  focus TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  FOREIGN KEY (form, version) REFERENCES form_version (form, version)
) STRICT;
INSERT INTO "draft" VALUES(1,'0238ee6f-3a08-4ad7-a3e3-0d3066e67ea0','calculator',1,'editing','标题 '';--','张三',2,NULL,1796138650117,1796138650166);
INSERT INTO "draft" VALUES(2,'0b5ab2e9-ffcf-4916-8d14-ff50ae1163b5','interests',1,'submitted','',NULL,2,NULL,1796138650204,1796138650229);
INSERT INTO "draft" VALUES(3,'34227794-5f71-4a35-adfc-a2cdffc7de0d','calculator',1,'discarded','gone',NULL,1,NULL,1796138650259,1796138650284);
CREATE TABLE draft_value (
  draft INTEGER NOT NULL REFERENCES draft (number) ON DELETE CASCADE,
  field TEXT NOT NULL CHECK (field <> ''),
  is_local INTEGER NOT NULL DEFAULT 0 CHECK (is_local IN (0, 1)),
  type TEXT NOT NULL CHECK (type IN (
    'null', 'string', 'integer', 'decimal', 'boolean', 'date', 'time', 'dateTime',
    'option', 'optionNumber', 'tags', 'json')),
  value TEXT CHECK ((value IS NULL) = (type IN ('null', 'tags'))),
  sort_key BLOB,
  search_key ANY AS (ifnull(sort_key, value)),
  revision INTEGER NOT NULL,
  PRIMARY KEY (draft, field)
) STRICT, WITHOUT ROWID;
INSERT INTO "draft_value" VALUES(1,'amount',0,'decimal','120000.00',X'8180060D00',1);
INSERT INTO "draft_value" VALUES(1,'firstPayment',0,'date','2024-02-01',NULL,1);
INSERT INTO "draft_value" VALUES(1,'idCard',0,'string','11010519491231002X',NULL,1);
INSERT INTO "draft_value" VALUES(1,'loanType',0,'option','fund',NULL,1);
INSERT INTO "draft_value" VALUES(1,'mobile',0,'string','13800138000',NULL,1);
INSERT INTO "draft_value" VALUES(1,'rate',0,'decimal','3.1500',X'818001203300',2);
INSERT INTO "draft_value" VALUES(1,'remark',0,'string','',NULL,2);
INSERT INTO "draft_value" VALUES(1,'repayment',0,'option','interest',NULL,1);
INSERT INTO "draft_value" VALUES(1,'term',0,'optionNumber','30',X'8180021F00',1);
INSERT INTO "draft_value" VALUES(2,'interests',0,'tags',NULL,NULL,1);
INSERT INTO "draft_value" VALUES(2,'language',0,'tags',NULL,NULL,2);
INSERT INTO "draft_value" VALUES(3,'amount',0,'decimal','0.10',X'8180000B00',1);
INSERT INTO "draft_value" VALUES(3,'rate',0,'string','1,5',NULL,1);
CREATE TABLE edit_history (
  draft INTEGER NOT NULL REFERENCES draft (number) ON DELETE CASCADE,
  step INTEGER NOT NULL CHECK (step > 0),
  field TEXT NOT NULL CHECK (field <> ''),
  old_type TEXT,
  old_value TEXT,
  new_type TEXT,
  new_value TEXT,
  is_undone INTEGER NOT NULL DEFAULT 0 CHECK (is_undone IN (0, 1)),
  created_at INTEGER NOT NULL,
  PRIMARY KEY (draft, step, field)
) STRICT, WITHOUT ROWID;
INSERT INTO "edit_history" VALUES(1,1,'rate','decimal','3.10','decimal','3.1500',0,1796138650300);
INSERT INTO "edit_history" VALUES(1,1,'remark','string','naïve 🇨🇳 é "q"','string','',0,1796138650300);
INSERT INTO "edit_history" VALUES(2,1,'interests',NULL,NULL,'tags','["music","travel"]',0,1796138650300);
INSERT INTO "edit_history" VALUES(2,2,'interests','tags','["music","travel"]','tags','[]',1,1796138650301);
CREATE TABLE form (
  id TEXT NOT NULL PRIMARY KEY CHECK (id <> ''),
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO "form" VALUES('calculator',1796138650094);
INSERT INTO "form" VALUES('interests',1796138650096);
INSERT INTO "form" VALUES('profile',1796138650099);
CREATE TABLE form_version (
  form TEXT NOT NULL REFERENCES form (id),
  version INTEGER NOT NULL CHECK (version > 0),
  title TEXT NOT NULL,
  definition TEXT NOT NULL CHECK (definition GLOB '{*}'),
  fingerprint TEXT NOT NULL CHECK (length(fingerprint) = 64),
  created_at INTEGER NOT NULL,
  PRIMARY KEY (form, version)
) STRICT;
INSERT INTO "form_version" VALUES('calculator',1,'贷款测算','{"id":"calculator","title":"贷款测算","sections":[{"title":"借款","rows":[{"kind":"option","key":"贷款类型","serviceKey":"loanType","requiredType":"required","options":[{"id":"fund","label":"公积金"},{"id":"commercial","label":"商业"},{"id":"mixed","label":"组合"}],"verify":{"errorMsg":"请选择贷款类型"}},{"kind":"option","key":"还款方式","serviceKey":"repayment","requiredType":"required","options":[{"id":"interest","label":"等额本息"},{"id":"principal","label":"等额本金"}]},{"kind":"pair","key":"贷款金额","requiredType":"requiredAndStar","left":{"kind":"input","serviceKey":"amount","dataType":"decimal","keyboardType":"decimalPad","verify":{"type":"stopEditing","rule":{"regex":"[0-9]{0,12}(\\.[0-9]{0,2})?"},"errorMsg":"只能输入数字"}},"right":{"httpParameterKey":"amountUnit","selectorTitle":"单位","options":[{"id":"yuan","label":"元"},{"id":"wan","label":"万元"}],"selectedIndex":1}},{"kind":"pair","key":"期限","requiredType":"required","left":{"kind":"option","serviceKey":"term","options":[{"id":5,"label":"5"},{"id":10,"label":"10"},{"id":30,"label":"30"}]},"right":{"httpParameterKey":"termUnit","selectorTitle":"单位","options":[{"id":"year","label":"年"},{"id":"month","label":"月"}],"selectedIndex":0}},{"kind":"input","key":"利率(%)","serviceKey":"rate","requiredType":"required","dataType":"decimal","verify":{"type":"endEdit","rule":{"number":{"min":0,"max":24,"decimals":4}},"errorMsg":"利率应在 0 到 24 之间","errorType":"label"}},{"kind":"input","key":"首次还款日","serviceKey":"firstPayment","requiredType":"required","dataType":"date"},{"kind":"input","key":"共同借款人","serviceKey":"coBorrower","requiredType":"required","visibleWhen":{"key":"loanType","equals":"mixed"}}]},{"title":"借款人","rows":[{"kind":"input","key":"身份证号","serviceKey":"idCard","requiredType":"required","maxLength":18,"verify":{"type":"endEdit","rule":{"residentID":true},"errorMsg":"身份证号不正确","errorType":"lineAndLabel"}},{"kind":"input","key":"手机号","serviceKey":"mobile","requiredType":"required","keyboardType":"phonePad","returnDoneType":"next","verify":{"type":"endEdit","rule":{"mobileCN":true},"errorMsg":"手机号不正确","errorType":"lineAndLabel"}},{"kind":"input","key":"备注","serviceKey":"remark","cellStyle":"textView1","maxLength":500},{"kind":"input","key":"客户经理备注（不上传）","cellStyle":"textView1"}]}]}','cf250ad5cad5c16d68b128833cd9c2c0fe68130ae68d909fdfaa4c3f310cf494',1796138650094);
INSERT INTO "form_version" VALUES('interests',1,'兴趣','{"id":"interests","title":"兴趣","sections":[{"title":"选择你的兴趣","rows":[{"kind":"tags","key":"兴趣","serviceKey":"interests","requiredType":"required","leastChoiceCount":3,"mostChoiceCount":6,"tags":[{"id":"music","labelName":"音乐"},{"id":"film","labelName":"电影"},{"id":"travel","labelName":"旅行"},{"id":"food","labelName":"美食"},{"id":"run","labelName":"跑步"},{"id":"read","labelName":"阅读"},{"id":"code","labelName":"编程"},{"id":"photo","labelName":"摄影"}],"verify":{"errorMsg":"请至少选择3个"}},{"kind":"tags","key":"常用语言","serviceKey":"language","requiredType":"required","selection":"single","tags":[{"id":"zh","labelName":"中文"},{"id":"en","labelName":"English"},{"id":"other","labelName":"其他"}]}]}]}','1beaa789226aa4f268a8a6c566014d87cce34a21939528177fd7eb62a5377e27',1796138650096);
INSERT INTO "form_version" VALUES('profile',1,'个人资料','{"id":"profile","title":"个人资料","sections":[{"rows":[{"kind":"input","key":"姓名","serviceKey":"name","cellStyle":"input1","requiredType":"requiredAndStar","placeholder":"请输入","maxLength":60,"verify":{"type":"editing","rule":{"regex":"[a-zA-Z ]+"},"errorMsg":"只能输入英文字母","errorType":"lineAndLabel"}},{"kind":"option","key":"性别","serviceKey":"gender","cellStyle":"option","requiredType":"requiredAndStar","valueType":1,"ui":{"isShowArrow":true},"placeholder":"请选择性别","options":[{"id":0,"label":"保密"},{"id":1,"label":"男"},{"id":2,"label":"女"}],"verify":{"errorMsg":"请选择性别"}},{"kind":"text","key":"电话","serviceKey":"phone","cellStyle":"value1","requiredType":"requiredAndStar","value":"13800138000"},{"kind":"input","key":"银行卡号","serviceKey":"cardNo","cellStyle":"textView2","requiredType":"requiredAndStar","valueType":2,"placeholder":"请输入银行卡号","keyboardType":"numberPad","format":{"groupsOf":4,"separator":" "}},{"kind":"input","key":"邮箱","serviceKey":"email","cellStyle":"input1","requiredType":"requiredAndStar","ui":{"isShowArrow":true,"lineLeftMargin":30,"lineRightMargin":30},"placeholder":"请输入邮箱地址","maxLength":30,"keyboardType":"emailAddress","verify":{"type":"endEdit","rule":{"email":true},"errorMsg":"邮箱格式不正确","errorType":"label"}},{"kind":"input","key":"居住地址","serviceKey":"address","cellStyle":"textView2","placeholder":"请输入居住地址","maxLength":100},{"kind":"input","key":"个人说明","serviceKey":"personalSignature","cellStyle":"textView1","requiredType":"requiredAndStar","placeholder":"请输入,最多只能输入25个字符","returnDoneType":"hiddenKeyboard","verify":{"type":"editing","rule":{"length":{"min":1,"max":25}},"errorMsg":"至少输入一个字符，最多只能输入25个字符","errorType":"lineAndLabel"}}]}]}','0c355592eb47c6d55b52071b1835ae2747af18bf3f08a0898b42beb780a52dce',1796138650099);
INSERT INTO "form_version" VALUES('calculator',2,'贷款测算','{"id":"calculator","title":"贷款测算","sections":[{"title":"借款","rows":[{"kind":"option","key":"贷款类型","serviceKey":"loanType","requiredType":"required","options":[{"id":"fund","label":"公积金"},{"id":"commercial","label":"商业"},{"id":"mixed","label":"组合"}],"verify":{"errorMsg":"请选择贷款类型"}},{"kind":"option","key":"还款方式","serviceKey":"repayment","requiredType":"required","options":[{"id":"interest","label":"等额本息"},{"id":"principal","label":"等额本金"}]},{"kind":"pair","key":"贷款金额","requiredType":"requiredAndStar","left":{"kind":"input","serviceKey":"amount","dataType":"decimal","keyboardType":"decimalPad","verify":{"type":"stopEditing","rule":{"regex":"[0-9]{0,12}(\\.[0-9]{0,2})?"},"errorMsg":"只能输入数字"}},"right":{"httpParameterKey":"amountUnit","selectorTitle":"单位","options":[{"id":"yuan","label":"元"},{"id":"wan","label":"万元"}],"selectedIndex":1}},{"kind":"pair","key":"期限","requiredType":"required","left":{"kind":"option","serviceKey":"term","options":[{"id":5,"label":"5"},{"id":10,"label":"10"},{"id":30,"label":"30"}]},"right":{"httpParameterKey":"termUnit","selectorTitle":"单位","options":[{"id":"year","label":"年"},{"id":"month","label":"月"}],"selectedIndex":0}},{"kind":"input","key":"利率(%)","serviceKey":"rate","requiredType":"required","dataType":"decimal","verify":{"type":"endEdit","rule":{"number":{"min":0,"max":24,"decimals":4}},"errorMsg":"利率应在 0 到 24 之间","errorType":"label"}},{"kind":"input","key":"首次还款日","serviceKey":"firstPayment","requiredType":"required","dataType":"date"},{"kind":"input","key":"共同借款人","serviceKey":"coBorrower","requiredType":"required","visibleWhen":{"key":"loanType","equals":"mixed"}}]},{"title":"借款人","rows":[{"kind":"input","key":"身份证号","serviceKey":"idCard","requiredType":"required","maxLength":18,"verify":{"type":"endEdit","rule":{"residentID":true},"errorMsg":"身份证号不正确","errorType":"lineAndLabel"}},{"kind":"input","key":"手机号","serviceKey":"mobile","requiredType":"required","keyboardType":"phonePad","returnDoneType":"next","verify":{"type":"endEdit","rule":{"mobileCN":true},"errorMsg":"手机号不正确","errorType":"lineAndLabel"}},{"kind":"input","key":"备注","serviceKey":"note","cellStyle":"textView1","formerKeys":["remark"],"maxLength":500},{"kind":"input","key":"客户经理备注（不上传）","cellStyle":"textView1"}]}]}','cf5e2174e015950d2e92133978e3069273af8bd6f7ee42a9ae28dced03bfe8e8',1796138650190);
CREATE TABLE outbox (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  draft INTEGER NOT NULL REFERENCES draft (number) ON DELETE CASCADE,
  submission INTEGER NOT NULL,
  idempotency_key TEXT NOT NULL UNIQUE,
  state TEXT NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'conflict', 'parked')),
  request TEXT,
  attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  next_attempt_at INTEGER NOT NULL DEFAULT 0,
  lease TEXT,
  leased_until INTEGER NOT NULL DEFAULT 0,
  ready_at INTEGER AS (max(next_attempt_at, leased_until)),
  last_error TEXT,
  created_at INTEGER NOT NULL,
  FOREIGN KEY (draft, submission) REFERENCES submission (draft, ordinal) ON DELETE CASCADE
) STRICT;
INSERT INTO "outbox" VALUES(1,1,1,'a9ec0b13-4330-4f6e-a54c-abed5ef86ea7','conflict',NULL,2,0,'5b1d1cbb-6f0c-4ab0-9d07-4e0e5d3d8a11',0,'conflict in rate',1796138650150);
CREATE TABLE server_record (
  draft INTEGER NOT NULL PRIMARY KEY REFERENCES draft (number) ON DELETE CASCADE,
  etag TEXT,
  submission INTEGER,
  acknowledged_at INTEGER NOT NULL
) STRICT;
INSERT INTO "server_record" VALUES(1,NULL,NULL,1796138650300);
INSERT INTO "server_record" VALUES(2,'"v1"',1,1796138650300);
CREATE TABLE submission (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  draft INTEGER NOT NULL REFERENCES draft (number) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL CHECK (ordinal > 0),
  form TEXT NOT NULL,
  version INTEGER NOT NULL,
  draft_revision INTEGER NOT NULL,
  param TEXT NOT NULL CHECK (param GLOB '{*}'),
  filtered TEXT NOT NULL DEFAULT '[]' CHECK (filtered GLOB '[[]*]'),
  kept TEXT NOT NULL DEFAULT '[]' CHECK (kept GLOB '[[]*]'),
  digest TEXT NOT NULL CHECK (length(digest) = 64),
  created_at INTEGER NOT NULL,
  UNIQUE (draft, ordinal),
  FOREIGN KEY (form, version) REFERENCES form_version (form, version)
) STRICT;
INSERT INTO "submission" VALUES(1,1,1,'calculator',1,1,'{"loanType":"fund","repayment":"interest","amount":120000.00,"amountUnit":"wan","term":30,"termUnit":"year","rate":3.10,"firstPayment":"2024-02-01","idCard":"11010519491231002X","mobile":"13800138000","remark":"naïve 🇨🇳 é \"q\""}','[]','[]','d9ac24831964ce85b399ce71234364a1b02a33ce7fa35b499a3576540b8aad0d',1796138650149);
INSERT INTO "submission" VALUES(2,2,1,'interests',1,2,'{"interests":["music","film","travel"],"language":"zh"}','[]','[]','4cd0c6ab6885e783ae02476d7d45fcbe43c3a20a1341055968e75775e9eb9993',1796138650242);
CREATE TABLE submission_tag (
  submission INTEGER NOT NULL REFERENCES submission (number) ON DELETE CASCADE,
  service_key TEXT NOT NULL,
  tag TEXT NOT NULL,
  PRIMARY KEY (service_key, tag, submission)
) STRICT, WITHOUT ROWID;
INSERT INTO "submission_tag" VALUES(2,'interests','film');
INSERT INTO "submission_tag" VALUES(2,'interests','music');
INSERT INTO "submission_tag" VALUES(2,'interests','travel');
CREATE TABLE submission_value (
  submission INTEGER NOT NULL REFERENCES submission (number) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  service_key TEXT NOT NULL CHECK (service_key <> ''),
  type TEXT NOT NULL CHECK (type IN (
    'null', 'string', 'integer', 'decimal', 'boolean', 'date', 'time', 'dateTime',
    'option', 'optionNumber', 'tags', 'json')),
  value TEXT CHECK ((value IS NULL) = (type = 'null')),
  sort_key BLOB,
  search_key ANY AS (CASE type WHEN 'tags' THEN NULL ELSE ifnull(sort_key, value) END),
  PRIMARY KEY (submission, service_key)
) STRICT, WITHOUT ROWID;
INSERT INTO "submission_value" VALUES(1,2,'amount','decimal','120000.00',X'8180060D00');
INSERT INTO "submission_value" VALUES(1,3,'amountUnit','option','wan',NULL);
INSERT INTO "submission_value" VALUES(1,7,'firstPayment','date','2024-02-01',NULL);
INSERT INTO "submission_value" VALUES(1,8,'idCard','string','11010519491231002X',NULL);
INSERT INTO "submission_value" VALUES(1,0,'loanType','option','fund',NULL);
INSERT INTO "submission_value" VALUES(1,9,'mobile','string','13800138000',NULL);
INSERT INTO "submission_value" VALUES(1,6,'rate','decimal','3.10',X'8180012000');
INSERT INTO "submission_value" VALUES(1,10,'remark','string','naïve 🇨🇳 é "q"',NULL);
INSERT INTO "submission_value" VALUES(1,1,'repayment','option','interest',NULL);
INSERT INTO "submission_value" VALUES(1,4,'term','optionNumber','30',X'8180021F00');
INSERT INTO "submission_value" VALUES(1,5,'termUnit','option','year',NULL);
INSERT INTO "submission_value" VALUES(2,0,'interests','tags','["music","film","travel"]',NULL);
INSERT INTO "submission_value" VALUES(2,1,'language','option','zh',NULL);
CREATE TABLE tag_selection (
  draft INTEGER NOT NULL,
  field TEXT NOT NULL,
  tag TEXT NOT NULL,
  is_number INTEGER NOT NULL DEFAULT 0 CHECK (is_number IN (0, 1)),
  position INTEGER NOT NULL,
  PRIMARY KEY (draft, field, tag, is_number),
  FOREIGN KEY (draft, field) REFERENCES draft_value (draft, field) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
INSERT INTO "tag_selection" VALUES(2,'interests','film',0,1);
INSERT INTO "tag_selection" VALUES(2,'interests','music',0,0);
INSERT INTO "tag_selection" VALUES(2,'interests','travel',0,2);
INSERT INTO "tag_selection" VALUES(2,'language','zh',0,0);
CREATE INDEX draft_by_form ON draft (form, status, updated_at);
CREATE INDEX draft_by_age ON draft (updated_at);
CREATE INDEX draft_by_subject ON draft (form, subject, updated_at) WHERE subject IS NOT NULL;
CREATE INDEX draft_value_by_service_key
  ON draft_value (field, search_key, draft) WHERE NOT is_local;
CREATE INDEX tag_selection_by_service_key ON tag_selection (field, tag, draft);
CREATE INDEX submission_by_form ON submission (form, created_at);
CREATE INDEX submission_by_age ON submission (created_at);
CREATE TRIGGER submission_is_frozen BEFORE UPDATE ON submission
BEGIN
  SELECT raise(ABORT, 'a submission is never changed');
END;
CREATE INDEX submission_value_by_service_key
  ON submission_value (service_key, search_key, submission);
CREATE INDEX submission_tag_by_submission ON submission_tag (submission);
CREATE TRIGGER submission_value_is_frozen BEFORE UPDATE ON submission_value
BEGIN
  SELECT raise(ABORT, 'a submission is never changed');
END;
CREATE INDEX outbox_ready ON outbox (ready_at, number) WHERE state = 'queued';
CREATE INDEX outbox_by_draft ON outbox (draft, number);
CREATE INDEX outbox_by_submission ON outbox (draft, submission);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('draft',3);
INSERT INTO "sqlite_sequence" VALUES('submission',2);
INSERT INTO "sqlite_sequence" VALUES('outbox',2);
COMMIT;
