CREATE TABLE "keep_patterns" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"catalog" text COLLATE "C" NOT NULL,
	"pattern" text COLLATE "C" NOT NULL,
	"actor" jsonb NOT NULL,
	"reason" text COLLATE "C",
	"at" bigint NOT NULL,
	"keep_until" bigint,
	"ended_at" bigint,
	"ended_by" jsonb
);
--> statement-breakpoint
CREATE TABLE "restores" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"catalog" text COLLATE "C" NOT NULL,
	"removal" text COLLATE "C" NOT NULL,
	"actor" jsonb NOT NULL,
	"reason" text COLLATE "C",
	"at" bigint NOT NULL,
	"state" text COLLATE "C" NOT NULL,
	"outcome" text COLLATE "C",
	"outcome_reason" text COLLATE "C",
	"warnings" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"entities" integer DEFAULT 0 NOT NULL,
	"settled_at" bigint
);
--> statement-breakpoint
ALTER TABLE "decisions" ADD COLUMN "pattern" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "intents" ADD COLUMN "action" text COLLATE "C" DEFAULT 'remove' NOT NULL;--> statement-breakpoint
ALTER TABLE "intents" ADD COLUMN "moved_to" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "overrides" ADD COLUMN "state" text COLLATE "C" DEFAULT 'active' NOT NULL;--> statement-breakpoint
ALTER TABLE "overrides" ADD COLUMN "approved_by" jsonb;--> statement-breakpoint
ALTER TABLE "overrides" ADD COLUMN "approved_at" bigint;--> statement-breakpoint
ALTER TABLE "removals" ADD COLUMN "action" text COLLATE "C" DEFAULT 'remove' NOT NULL;--> statement-breakpoint
ALTER TABLE "removals" ADD COLUMN "moved_to" text COLLATE "C";--> statement-breakpoint
CREATE INDEX "keep_patterns_by_catalog" ON "keep_patterns" USING btree ("catalog","at");--> statement-breakpoint
CREATE INDEX "restores_by_catalog" ON "restores" USING btree ("catalog","at");--> statement-breakpoint
CREATE UNIQUE INDEX "restores_one_requested" ON "restores" USING btree ("removal") WHERE state = 'requested';--> statement-breakpoint
CREATE INDEX "saved_attachments_by_entity" ON "saved_attachments" USING btree ("entity");