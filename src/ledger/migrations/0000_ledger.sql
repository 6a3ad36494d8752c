CREATE TABLE "audit" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"at" bigint NOT NULL,
	"catalog" text COLLATE "C",
	"actor" jsonb NOT NULL,
	"action" text COLLATE "C" NOT NULL,
	"subject" text COLLATE "C" NOT NULL,
	"detail" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "catalogs" (
	"key" text COLLATE "C" PRIMARY KEY NOT NULL,
	"metalake" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"round_seq" integer DEFAULT 0 NOT NULL,
	"published_round" text COLLATE "C",
	"published_seq" integer DEFAULT 0 NOT NULL,
	"published_at" bigint,
	"epoch" text COLLATE "C",
	"fingerprint" text COLLATE "C",
	"principal" text COLLATE "C",
	"state" text COLLATE "C" DEFAULT 'never-scanned' NOT NULL,
	"state_reason" jsonb,
	"state_since" bigint NOT NULL,
	"hold" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"pause" jsonb,
	"stop" jsonb
);
--> statement-breakpoint
CREATE TABLE "decisions" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"catalog" text COLLATE "C" NOT NULL,
	"finding" text COLLATE "C" NOT NULL,
	"entity" text COLLATE "C" NOT NULL,
	"digest" text COLLATE "C" NOT NULL,
	"action" text COLLATE "C" NOT NULL,
	"actor" jsonb NOT NULL,
	"reason" text COLLATE "C",
	"request_key" text COLLATE "C" NOT NULL,
	"at" bigint NOT NULL,
	"expires_at" bigint,
	"keep_until" bigint,
	"state" text COLLATE "C" NOT NULL,
	"state_why" text COLLATE "C"
);
--> statement-breakpoint
CREATE TABLE "evidence" (
	"digest" text COLLATE "C" PRIMARY KEY NOT NULL,
	"body" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "findings" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"catalog" text COLLATE "C" NOT NULL,
	"entity" text COLLATE "C" NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"path" text COLLATE "C" NOT NULL,
	"version" text COLLATE "C" NOT NULL,
	"registered_at" bigint NOT NULL,
	"standing" jsonb NOT NULL,
	"digest" text COLLATE "C" NOT NULL,
	"evidence" text COLLATE "C" NOT NULL,
	"attachments" jsonb NOT NULL,
	"moved_to" text COLLATE "C",
	"taken" boolean DEFAULT false NOT NULL,
	"uid" text COLLATE "C",
	"carrier" text COLLATE "C",
	"inside" integer DEFAULT 0 NOT NULL,
	"blocker" jsonb,
	"state" text COLLATE "C" NOT NULL,
	"closed_why" text COLLATE "C",
	"moved_by" text COLLATE "C" NOT NULL,
	"opened_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "identities" (
	"catalog" text COLLATE "C" NOT NULL,
	"entity" text COLLATE "C" NOT NULL,
	"uid" text COLLATE "C",
	"found" text COLLATE "C" NOT NULL,
	"fingerprint" text COLLATE "C" NOT NULL,
	CONSTRAINT "identities_catalog_entity_pk" PRIMARY KEY("catalog","entity")
);
--> statement-breakpoint
CREATE TABLE "intents" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"catalog" text COLLATE "C" NOT NULL,
	"finding" text COLLATE "C" NOT NULL,
	"entity" text COLLATE "C" NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"path" text COLLATE "C" NOT NULL,
	"version" text COLLATE "C" NOT NULL,
	"digest" text COLLATE "C" NOT NULL,
	"decision" text COLLATE "C",
	"actor" jsonb NOT NULL,
	"round" text COLLATE "C" NOT NULL,
	"opened_at" bigint NOT NULL,
	"act_before" bigint NOT NULL,
	"state" text COLLATE "C" NOT NULL,
	"outcome" text COLLATE "C",
	"settled_at" bigint
);
--> statement-breakpoint
CREATE TABLE "judgements" (
	"round" text COLLATE "C" NOT NULL,
	"catalog" text COLLATE "C" NOT NULL,
	"entity" text COLLATE "C" NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"path" text COLLATE "C" NOT NULL,
	"version" text COLLATE "C" NOT NULL,
	"registered_at" bigint NOT NULL,
	"standing" jsonb NOT NULL,
	"digest" text COLLATE "C" NOT NULL,
	"evidence" text COLLATE "C" NOT NULL,
	"attachments" jsonb NOT NULL,
	"moved_to" text COLLATE "C",
	"taken" boolean DEFAULT false NOT NULL,
	"uid" text COLLATE "C",
	"carrier" text COLLATE "C",
	"inside" integer DEFAULT 0 NOT NULL,
	"blocker" jsonb,
	"move" text COLLATE "C" NOT NULL,
	"close_why" text COLLATE "C",
	"finding" text COLLATE "C",
	CONSTRAINT "judgements_round_entity_pk" PRIMARY KEY("round","entity")
);
--> statement-breakpoint
CREATE TABLE "overrides" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"catalog" text COLLATE "C" NOT NULL,
	"actor" jsonb NOT NULL,
	"reason" text COLLATE "C" NOT NULL,
	"admits" jsonb NOT NULL,
	"max_count" integer NOT NULL,
	"used" integer DEFAULT 0 NOT NULL,
	"at" bigint NOT NULL,
	"expires_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "policies" (
	"catalog" text COLLATE "C" NOT NULL,
	"version" integer NOT NULL,
	"body" jsonb NOT NULL,
	"interval_ms" bigint NOT NULL,
	"actor" jsonb NOT NULL,
	"at" bigint NOT NULL,
	CONSTRAINT "policies_catalog_version_pk" PRIMARY KEY("catalog","version")
);
--> statement-breakpoint
CREATE TABLE "removals" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"catalog" text COLLATE "C" NOT NULL,
	"finding" text COLLATE "C" NOT NULL,
	"entity" text COLLATE "C" NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"path" text COLLATE "C" NOT NULL,
	"actor" jsonb NOT NULL,
	"outcome" text COLLATE "C" NOT NULL,
	"reason" text COLLATE "C" NOT NULL,
	"entities" integer NOT NULL,
	"evidence" text COLLATE "C" NOT NULL,
	"at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "rounds" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"catalog" text COLLATE "C" NOT NULL,
	"seq" integer NOT NULL,
	"dry" boolean NOT NULL,
	"trigger" text COLLATE "C" NOT NULL,
	"requested_by" jsonb NOT NULL,
	"workflow_id" text COLLATE "C" NOT NULL,
	"state" text COLLATE "C" NOT NULL,
	"reason" jsonb,
	"interval_ms" bigint NOT NULL,
	"nominal_at" bigint NOT NULL,
	"started_at" bigint NOT NULL,
	"ended_at" bigint,
	"policy_version" integer NOT NULL,
	"epoch" text COLLATE "C",
	"fingerprint" text COLLATE "C",
	"counts" jsonb,
	"hold" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"tidied" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "saved_attachments" (
	"intent" text COLLATE "C" NOT NULL,
	"entity" text COLLATE "C" NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"path" text COLLATE "C" NOT NULL,
	"version" text COLLATE "C" NOT NULL,
	"body" jsonb NOT NULL,
	CONSTRAINT "saved_attachments_intent_entity_pk" PRIMARY KEY("intent","entity")
);
--> statement-breakpoint
CREATE TABLE "snapshot" (
	"round" text COLLATE "C" NOT NULL,
	"row" integer NOT NULL,
	"entity" text COLLATE "C" NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"path" text COLLATE "C" NOT NULL,
	"version" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"mark" text COLLATE "C" NOT NULL,
	"finding" text COLLATE "C",
	CONSTRAINT "snapshot_round_row_pk" PRIMARY KEY("round","row")
);
--> statement-breakpoint
CREATE TABLE "transitions" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"finding" text COLLATE "C" NOT NULL,
	"at" bigint NOT NULL,
	"round" text COLLATE "C",
	"what" text COLLATE "C" NOT NULL,
	"detail" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "verdicts" (
	"round" text COLLATE "C" NOT NULL,
	"row" integer NOT NULL,
	"path" text COLLATE "C",
	"verdict" text COLLATE "C" NOT NULL,
	"code" text COLLATE "C" NOT NULL,
	"found" text COLLATE "C",
	"uid" text COLLATE "C",
	"moved_to" text COLLATE "C",
	"taken" boolean,
	"evidence" text COLLATE "C" NOT NULL,
	"fresh" boolean NOT NULL,
	"probed_at" bigint NOT NULL,
	CONSTRAINT "verdicts_round_row_pk" PRIMARY KEY("round","row")
);
--> statement-breakpoint
CREATE INDEX "audit_by_catalog" ON "audit" USING btree ("catalog","id");--> statement-breakpoint
CREATE UNIQUE INDEX "decisions_once" ON "decisions" USING btree ("catalog","request_key","finding");--> statement-breakpoint
CREATE INDEX "decisions_by_finding" ON "decisions" USING btree ("finding");--> statement-breakpoint
CREATE INDEX "decisions_active" ON "decisions" USING btree ("catalog","entity") WHERE state = 'active';--> statement-breakpoint
CREATE UNIQUE INDEX "findings_one_open" ON "findings" USING btree ("catalog","entity") WHERE state = 'open';--> statement-breakpoint
CREATE INDEX "findings_page" ON "findings" USING btree ("catalog","state","path","id");--> statement-breakpoint
CREATE INDEX "findings_due" ON "findings" USING btree ("catalog","path") WHERE state = 'open' and standing ->> 'due' = 'true';--> statement-breakpoint
CREATE INDEX "findings_by_kind" ON "findings" USING btree ("catalog","state","kind","path","id");--> statement-breakpoint
CREATE INDEX "findings_by_verdict" ON "findings" USING btree ("catalog","state",(standing ->> 'verdict'),"path","id");--> statement-breakpoint
CREATE UNIQUE INDEX "intents_one_open" ON "intents" USING btree ("catalog") WHERE state = 'open';--> statement-breakpoint
CREATE INDEX "intents_by_finding" ON "intents" USING btree ("finding");--> statement-breakpoint
CREATE INDEX "removals_by_catalog" ON "removals" USING btree ("catalog","at" DESC NULLS FIRST,"id");--> statement-breakpoint
CREATE INDEX "rounds_by_catalog" ON "rounds" USING btree ("catalog","started_at","id");--> statement-breakpoint
CREATE INDEX "rounds_untidied" ON "rounds" USING btree ("catalog") WHERE not tidied;--> statement-breakpoint
CREATE UNIQUE INDEX "snapshot_by_path" ON "snapshot" USING btree ("round","path");--> statement-breakpoint
CREATE INDEX "snapshot_found" ON "snapshot" USING btree ("round","path") WHERE finding is not null;--> statement-breakpoint
CREATE INDEX "snapshot_by_finding" ON "snapshot" USING btree ("round","finding") WHERE finding is not null;--> statement-breakpoint
CREATE INDEX "transitions_by_finding" ON "transitions" USING btree ("finding","id");--> statement-breakpoint
CREATE INDEX "verdicts_not_present" ON "verdicts" USING btree ("round","path") WHERE path is not null;--> statement-breakpoint
CREATE INDEX "verdicts_waiting" ON "verdicts" USING btree ("round","row") WHERE verdict = 'unknown' and code = 'parent-absent';--> statement-breakpoint
CREATE INDEX "verdicts_fresh" ON "verdicts" USING btree ("round","row") WHERE fresh;--> statement-breakpoint
CREATE INDEX "verdicts_moved" ON "verdicts" USING btree ("round","row") WHERE verdict = 'absent' and uid is not null;